import { parseUrl } from '../../../api/parseUrl';

/** A label of a domain has at most so many characters. */
export const longestLabel = 63;

/** A domain with its `xn--` labels in letters: URL only encodes them. One that is not valid is returned as it is. */
export function decodeDomain(domain: string): string {
	const decoded = domain.split('.').map(decodeLabel).join('.');
	return parseUrl(`https://${decoded}`)?.hostname === domain ? decoded : domain;
}

function decodeLabel(label: string): string {
	if (!label.startsWith('xn--') || label.length > longestLabel) return label;
	const text = label.slice('xn--'.length);
	const start = text.lastIndexOf('-') + 1;
	const points = [...text.slice(0, Math.max(0, start - 1))].map((letter) => letter.charCodeAt(0));
	return insertLetters(points, text.slice(start)) ?? label;
}

// The algorithm and its constants are those of RFC 3492, section 6.2.
function insertLetters(points: number[], deltas: string): string | undefined {
	let at = 0;
	let place = 0;
	let code = 128;
	let bias = 72;
	while (at < deltas.length) {
		const before = place;
		for (let weight = 1, k = 36; ; k += 36) {
			const digit = (parseInt(deltas.charAt(at++), 36) + 26) % 36;
			const threshold = Math.min(Math.max(k - bias, 1), 26);
			place += digit * weight;
			if (digit < threshold) break;
			if (at >= deltas.length) return undefined;
			weight *= 36 - threshold;
		}
		const count = points.length + 1;
		bias = adapt(place - before, count, before === 0);
		code += Math.floor(place / count);
		if (!(code <= 0x10ffff)) return undefined;
		place %= count;
		points.splice(place++, 0, code);
	}
	return String.fromCodePoint(...points);
}

function adapt(delta: number, count: number, isFirst: boolean): number {
	let rest = Math.floor(delta / (isFirst ? 700 : 2));
	rest += Math.floor(rest / count);
	let bias = 0;
	for (; rest > 455; bias += 36) rest = Math.floor(rest / 35);
	return bias + Math.floor((36 * rest) / (rest + 38));
}
