interface Path {
	isFunction(): boolean;
	getFunctionParent(): unknown;
	traverse(visitor: { Function(path: { stop(): void }): void }): void;
}

/** Code that runs when a file loads is reached by every test: each change of it would run them all. */
export const strykerPlugins = [
	{
		kind: 'Ignore',
		name: 'onLoad',
		value: {
			shouldIgnore: (path: Path) =>
				path.getFunctionParent() || hasFunction(path) ? undefined : 'It runs when the file loads.',
		},
	},
];

function hasFunction(path: Path): boolean {
	let found = path.isFunction();
	path.traverse({
		Function(inner) {
			found = true;
			inner.stop();
		},
	});
	return found;
}
