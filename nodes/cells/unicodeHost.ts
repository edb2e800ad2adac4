import { parseUrl } from '../runtime/url';

/** The numbers of RFC 3492, which defines how a domain's other letters become ASCII. */
const base = 36;
const [fewest, most, skew, damp] = [1, 26, 38, 700];
const [firstCode, firstBias] = [0x80, 72];

/** A domain or email address as people write it: `münchen.example` for `xn--mnchen-3ya.example`. */
export function writeUnicode(address: string): string {
	return address.replace(/(?<=^|[.@])xn--([a-z\d-]{1,59})/g, (label: string, encoded: string) => {
		const decoded = decode(encoded);
		// A service that stores other letters can only have stored those that make the same domain.
		return parseUrl(`https://${decoded}`)?.hostname === label ? decoded : label;
	});
}

/** @returns a text that makes another domain if it cannot be decoded */
function decode(encoded: string): string {
	const plain = Math.max(encoded.lastIndexOf('-'), 0);
	const letters = [...encoded.slice(0, plain)];
	let [code, place, bias, at] = [firstCode, 0, firstBias, plain && plain + 1];
	while (at < encoded.length) {
		const before = place;
		for (let weight = 1, step = base; ; step += base) {
			const digit = parseDigit(encoded[at++]);
			place += digit * weight;
			const threshold = Math.min(Math.max(step - bias, fewest), most);
			if (digit < threshold) break;
			weight *= base - threshold;
		}
		const count = letters.length + 1;
		bias = adapt(place - before, count, before === 0);
		code += Math.floor(place / count);
		place %= count;
		if (!(code <= 0x10ffff)) return '';
		letters.splice(place++, 0, String.fromCodePoint(code));
	}
	return letters.join('');
}

/** Letters before digits. Behind the end, it ends a number. */
function parseDigit(character = 'a'): number {
	return (parseInt(character, base) + most) % base;
}

function adapt(step: number, count: number, isFirst: boolean): number {
	let rest = Math.floor(step / (isFirst ? damp : 2));
	rest += Math.floor(rest / count);
	let bias = 0;
	for (; rest > ((base - fewest) * most) / 2; bias += base)
		rest = Math.floor(rest / (base - fewest));
	return bias + Math.floor((base * rest) / (rest + skew));
}
