import { readForm } from '../../../nodes/PageAudienceTrigger/delivery/multipart';

test('a multipart form has its fields, and of its files only what describes them', () => {
	const file = {
		originalFilename: 'cv.pdf',
		mimetype: 'application/pdf',
		size: 7,
		filepath: '/tmp/x',
	};
	const described = { filename: 'cv.pdf', mimetype: 'application/pdf', size: 7 };
	const unnamed = { filename: null, mimetype: null, size: null };
	expect(
		readForm({
			data: { name: 'Ann', tags: ['a', 'b'], both: 'text' },
			files: { cv: file, several: [file, {}], both: file, odd: 'no file' },
		}),
	).toEqual({
		name: 'Ann',
		tags: ['a', 'b'],
		both: ['text', described],
		cv: described,
		several: [described, unnamed],
		odd: unnamed,
	});
});

test.each([undefined, null, 'text', 7])('what is no form stays what it is: %j', (parsed) => {
	expect(readForm(parsed)).toBe(parsed);
});

test('a form without fields or files is empty', () => {
	expect(readForm({ data: 'x' })).toEqual({});
});
