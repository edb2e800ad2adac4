import { createRequire } from 'node:module';

// Run in a fresh process: loads n8n-workflow, then the given files, and prints how long both took.
const files = process.argv.slice(2);
const [first = import.meta.filename] = files;
const started = performance.now();
createRequire(first)('n8n-workflow');
const loaded = performance.now();
for (const file of files) createRequire(file)(file);
const workflowMs = loaded - started;
console.log(JSON.stringify({ workflowMs, filesMs: performance.now() - loaded }));
