import { advice } from './advice.mts';
import { writeTable } from './markdown.mts';
import { findMessages } from './messages.mts';

const head = `# Messages

<!-- \`npm run fix\` generates this page from the code of the nodes and tools/docs/advice.mts. -->

Search this page for some words of your message. \`…\` stands for a value. For a message that isn't here, the text beside
it tells you what to do. If you look for a symptom, see [When something goes wrong](troubleshooting.md).`;

interface Area {
	title: string;
	intro?: string;
	/** How the paths of its files begin. */
	paths: string[];
}

const areas: Area[] = [
	{
		title: 'Requests to the service',
		paths: ['nodes/api/', 'nodes/nodeErrors'],
	},
	{
		title: 'Executions of Page Audience',
		paths: ['nodes/PageAudience/run/', 'nodes/PageAudience/operation/'],
	},
	{
		title: 'Page Audience Trigger',
		intro:
			"Lines in n8n's log begin with `Page Audience Trigger:`. A response has its message in `reason`.",
		paths: ['nodes/PageAudienceTrigger/'],
	},
	{
		title: 'Page Audience Polling Trigger',
		intro: "Lines in n8n's log begin with `Page Audience Polling Trigger:`.",
		paths: ['nodes/PageAudiencePollingTrigger/'],
	},
	{
		title: 'Fields and records',
		intro: 'A message about a field begins with its label. Nothing was sent for the item.',
		paths: ['nodes/', 'credentials/'],
	},
];

export function writeMessagesPage(): string {
	const left = findMessages();
	const chapters = areas.map(({ title, intro, paths }) => {
		const files = [...left.keys()].filter((file) => paths.some((path) => file.startsWith(path)));
		const messages = files.flatMap((file) => left.get(file) ?? []);
		for (const file of files) left.delete(file);
		return [`## ${title}`, ...(intro ? [intro] : []), writeMessages(messages)].join('\n\n');
	});
	return `${[head, ...chapters].join('\n\n')}\n`;
}

/** Advice for messages that no longer exist. */
export function listUnusedAdvice(): string[] {
	const texts = [...findMessages().values()].flat();
	return Object.keys(advice).filter((words) => !texts.some((text) => text.includes(words)));
}

/** Those that need more words than the node has beside them. */
function writeMessages(messages: string[]): string {
	const rows = new Map<string, string>();
	for (const message of messages) {
		const text = tidy(message);
		const toDo = findAdvice(text);
		if (toDo !== undefined) rows.set(`\`${text}\``, toDo);
	}
	const sorted = [...rows].sort(([one], [other]) => one.localeCompare(other, 'en'));
	return writeTable(['Message', 'What to do'], sorted);
}

const findAdvice = (text: string): string | undefined =>
	Object.entries(advice).find(([words]) => text.includes(words))?.[1];

/** A message without what joins it to others. */
const tidy = (text: string): string =>
	text
		.replace(/\s+/g, ' ')
		.replace(/^…?[\s,.;:]+/, '')
		.replace(/( …)+$/, ' …')
		.replace(/^Page Audience( Polling)? Trigger: /, '')
		.trim();
