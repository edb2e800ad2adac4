import { isObject } from '../../api/request';

/**
 * What the sender of a multipart form sent. n8n gives the node its parser's objects, which hold the paths of temporary
 * files. Of a file only the description is output, as by n8n's Form Trigger: its content may repeat the token, and n8n
 * has no text of it in which the trigger could look.
 */
export function readForm(parsed: unknown): unknown {
	if (!isObject(parsed)) return parsed;
	const form = new Map<string, unknown[]>();
	const add = (part: unknown, read: (value: unknown) => unknown) => {
		for (const [name, value] of Object.entries(isObject(part) ? part : {}))
			form.set(name, [...(form.get(name) ?? []), ...[value].flat().map(read)]);
	};
	add(parsed.data, (value) => value);
	add(parsed.files, describeFile);
	const entries = [...form].map(([name, values]) => [
		name,
		values.length === 1 ? values[0] : values,
	]);
	return Object.fromEntries(entries) as unknown;
}

function describeFile(file: unknown): unknown {
	const { originalFilename, mimetype, size } = isObject(file) ? file : {};
	return { filename: originalFilename ?? null, mimetype: mimetype ?? null, size: size ?? null };
}
