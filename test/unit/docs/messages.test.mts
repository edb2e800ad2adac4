import { readMessages } from '../../../tools/docs/messages.mts';
import { listUnusedAdvice } from '../../../tools/docs/messagesPage.mts';

test('gives advice only for messages that exist', () => expect(listUnusedAdvice()).toEqual([]));

const cases: Array<[what: string, code: string, messages: string[]]> = [
	[
		'an error with what to do',
		"throw new PageError(`Page ${id} is not a page`, 'Choose another page.');",
		['Page … is not a page', 'Choose another page.'],
	],
	[
		'a sentence with a name once',
		"const other = 'Choose another page.'; const all = { 404: ['The page was not found', other] };",
		['Choose another page.', 'The page was not found'],
	],
	[
		'messages inside the arguments of a call',
		"log.add(id, isOld ? 'the page is too old' : `the page is ${age} days old`);",
		['the page is too old', 'the page is … days old'],
	],
	[
		'a refused field, without its label',
		"refuseItem('The title of it', 'must be given here');",
		['must be given here'],
	],
	[
		'no label, path, expression, list of fields or text for the workflow builder',
		`const texts = ['Page of Target Audience', 'GET /v0/pages of a service', '={{ $json.a or b }}',
			'pageId createdAt updatedAt deletedAt name', { propertyHint: 'Use this for all your pages.' }];`,
		[],
	],
];

test.each(cases)('finds %s', (_, code, messages) => {
	expect(readMessages(code)).toEqual(messages);
});
