import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultGuesses, guessChoices } from '../../sandbox/guesses.mts';

const readme = readFileSync(join(import.meta.dirname, '../../sandbox/README.md'), 'utf8');

/** The guesses in the table, each with its choices. */
const described = new Map(
	[...readme.matchAll(/^\| `(\w+)` +\| (`.+?) +\|.*\|$/gm)].map(([, name, choices]) => [
		name,
		[...choices.matchAll(/`(\w+)`/g)].map(([, choice]) => choice),
	]),
);

const choicesOf = new Map<string, readonly string[]>(Object.entries(guessChoices));

test.each(Object.entries(defaultGuesses))('describes the guess %s', (name, guess) => {
	const choices = choicesOf.get(name) ?? [String(guess)];
	expect(described.get(name)).toEqual(choices);
	expect(choices[0]).toBe(String(guess));
});
