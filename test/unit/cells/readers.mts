import { readCompanyDomain, readDomain } from '../../../nodes/cells/domain.ts';
import { readEmail } from '../../../nodes/cells/email.ts';
import { readLinkedIn } from '../../../nodes/cells/linkedIn.ts';
import { readName } from '../../../nodes/cells/name.ts';
import { readPhone } from '../../../nodes/cells/phone.ts';
import { isValue } from '../../../nodes/cells/reading.ts';
import { InvalidValueError } from '../../../nodes/parameters/checks.ts';

/** The reader of each kind of value. */
export const readers = {
	phone: readPhone,
	email: readEmail,
	profile: readLinkedIn,
	domain: readDomain,
	company: readCompanyDomain,
	name: readName,
};

export type Kind = keyof typeof readers;

/** What is sent, or why nothing is, and what all spellings of one value share. */
export interface Outcome {
	sent: string;
	identity?: string;
}

export function readCell(kind: Kind, cell: string): Outcome {
	const reading = readers[kind](cell);
	if (isValue(reading)) return { sent: reading.value, identity: reading.identity };
	return { sent: reading?.refusal ?? 'blank' };
}

export function readBy(check: (value: string) => string, value: string): Outcome {
	try {
		const sent = check(value);
		return { sent, identity: sent };
	} catch (error) {
		if (error instanceof InvalidValueError) return { sent: error.refusal };
		throw error;
	}
}

/** The values of a text, with `¦` between them. `⏎` is a line break. */
export const listValues = (text: string): string[] =>
	text
		.trim()
		.split(/\s*¦\s*/)
		.map((value) => value.replaceAll('⏎', '\n'));
