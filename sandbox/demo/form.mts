import type { FormFields } from '../guesses.mts';
import { html, type Html } from '../html.mts';

export type FieldName = keyof FormFields;

interface Field {
	name: FieldName;
	label: string;
	autocomplete: string;
	type: 'text' | 'email' | 'textarea';
	isRequired: boolean;
	maximumLength: number;
}

const field = (
	name: FieldName,
	label: string,
	autocomplete: string,
	type: Field['type'],
	isRequired: boolean,
	maximumLength: number,
): Field => ({ name, label, autocomplete, type, isRequired, maximumLength });

// A person's name may have 255 characters in the API, an address 254 in the mail's own rules.
export const fields: readonly Field[] = [
	field('name', 'Name', 'name', 'text', true, 255),
	field('email', 'Work email', 'email', 'email', true, 254),
	field('company', 'Company', 'organization', 'text', false, 255),
	field('message', 'Message', 'off', 'textarea', false, 2000),
];

/** What was typed, as it is shown again, and what is wrong with it by field. */
export interface Entry {
	typed: FormFields;
	problems: Partial<Record<FieldName, string>>;
}

export const emptyEntry: Entry = { typed: {}, problems: {} };

const address = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

function findProblem({ label, type, isRequired, maximumLength }: Field, text: string) {
	const what = label.toLowerCase();
	if (text === '') return isRequired ? `Enter your ${what}` : undefined;
	if (text.length > maximumLength) {
		return `Shorten your ${what} to ${maximumLength} characters, it has ${text.length}`;
	}
	return type === 'email' && !address.test(text)
		? `Enter an address like ada@company.com as your ${what}`
		: undefined;
}

/** Reads what a form sent. Unknown fields are ignored, of a repeated one the first counts. */
export function readEntry(form: URLSearchParams): Entry {
	const entry: Entry = { typed: {}, problems: {} };
	for (const one of fields) {
		const sent = form.get(one.name) ?? '';
		// A browser sends line breaks as CRLF and counts them as one character.
		const lines = sent.replaceAll('\r\n', '\n');
		const text = (one.type === 'textarea' ? lines : lines.replace(/\s+/g, ' ')).trim();
		const problem = findProblem(one, text);
		if (text !== '') entry.typed[one.name] = text;
		if (problem) entry.problems[one.name] = problem;
	}
	return entry;
}

export const isComplete = ({ problems }: Entry): boolean => Object.keys(problems).length === 0;

function renderField(one: Field, { typed, problems }: Entry): Html {
	const { name, label, autocomplete, type, isRequired, maximumLength } = one;
	const problem = problems[name];
	const value = typed[name] ?? '';
	const states = html`${isRequired && html` required`}${problem !== undefined &&
	html` aria-invalid="true" aria-describedby="${name}-problem"`}`;
	const limits = html`autocomplete="${autocomplete}" maxlength="${maximumLength}"`;
	const control =
		type === 'textarea'
			? html`<textarea id="${name}" name="${name}" rows="3" ${limits}${states}>${value}</textarea>`
			: html`<input
					id="${name}"
					name="${name}"
					type="${type}"
					value="${value}"
					${limits}${states}
				/>`;
	return html`<div class="field">
		<label for="${name}">${label}${!isRequired && html` <small>(optional)</small>`}</label>
		${control}
		${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}
	</div>`;
}

/** Says first what is wrong, with a way to each field. */
function renderProblems({ problems }: Entry): Html {
	return html`<div class="problems" role="alert">
		<p>The form was not sent:</p>
		<ul>
			${Object.entries(problems).map(
				([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`,
			)}
		</ul>
	</div>`;
}

export interface FormView {
	action: string;
	entry: Entry;
	/** Sent along unseen. */
	hidden: Record<string, string>;
	buttonTitle: string;
}

export function renderForm({ action, entry, hidden, buttonTitle }: FormView): Html {
	return html`<form method="post" action="${action}#contact">
		${!isComplete(entry) && renderProblems(entry)}
		${Object.entries(hidden).map(
			([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
		)}
		${fields.map((one) => renderField(one, entry))}
		<button class="button primary">${buttonTitle}</button>
	</form>`;
}
