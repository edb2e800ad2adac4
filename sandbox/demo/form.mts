import type { FormFields } from '../guesses.mts';
import { html, type Html } from '../web/html.mts';

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

// The API limits a person's name to 255 characters, mail servers limit an address to 254.
export const fields: readonly Field[] = [
	field('name', 'Name', 'name', 'text', true, 255),
	field('email', 'Work email', 'email', 'email', true, 254),
	field('company', 'Company', 'organization', 'text', false, 255),
	field('message', 'Message', 'off', 'textarea', false, 2000),
];

/** What the visitor typed, and what is wrong with it by field. */
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
		return `Shorten your ${what} to ${maximumLength} characters (now ${text.length})`;
	}
	return type === 'email' && !address.test(text)
		? `Enter a valid ${what}, e.g. ada@company.com`
		: undefined;
}

/** Reads a submitted form. Unknown fields are ignored. Of repeated fields the first one counts. */
export function readEntry(form: URLSearchParams): Entry {
	const entry: Entry = { typed: {}, problems: {} };
	for (const one of fields) {
		const sent = form.get(one.name) ?? '';
		// A browser sends a line break as CRLF but counts it as one character.
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
	const shared = html`id="${name}" name="${name}" autocomplete="${autocomplete}"
	maxlength="${maximumLength}"${states}`;
	return html`<label for="${name}"
			>${label}${!isRequired && html` <small>(optional)</small>`}</label
		>
		${type === 'textarea'
			? html`<textarea rows="3" ${shared}>${value}</textarea>`
			: html`<input type="${type}" value="${value}" ${shared} />`}
		${problem !== undefined && html`<small id="${name}-problem">${problem}</small>`}`;
}

/** Lists the problems at the top, each with a link to its field. */
const renderProblems = ({ problems }: Entry): Html =>
	html`<div role="alert">
		<strong>The form was not sent:</strong>
		<ul>
			${Object.entries(problems).map(
				([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`,
			)}
		</ul>
	</div>`;

export interface FormView {
	action: string;
	entry: Entry;
	/** Hidden fields. */
	hidden: Record<string, string>;
	buttonTitle: string;
}

export const renderForm = ({ action, entry, hidden, buttonTitle }: FormView): Html =>
	html`<form method="post" action="${action}#contact">
		${!isComplete(entry) && renderProblems(entry)}
		${Object.entries(hidden).map(
			([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
		)}
		${fields.map((one) => renderField(one, entry))}
		<button type="submit">${buttonTitle}</button>
		<small>Delivers form.submitted to the sandbox’s active webhook subscriptions.</small>
	</form>`;
