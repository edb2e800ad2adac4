import { quote } from '../../../parameters/checks';
import { normalize } from '../../../runtime/normalize';
import { parseUrl } from '../../../runtime/url';
import { isPlaceholder } from './placeholder';
import { findSeparator, placeholder, reader, type Reader, several } from './reading';

/** A name without what is left of two addresses, an expression or a person's name. */
const localPart = /^(?:"[^"\s]+"|[^\s@"<>(),;:{}[\]\\]+)$/;

/** An address, also one that was copied with `mailto:`, or with its owner's name. */
export const readEmail = reader((cell) => {
	const separator = findSeparator(cell, '@');
	if (separator !== undefined) return several('email address', cell, separator);
	const [, inBrackets = cell] = /^[^<>]*<([^<>]+)>$/.exec(cell) ?? [];
	const value = inBrackets
		.trim()
		.replace(/^mailto:/i, '')
		.replace(/\?.*/s, '');
	const [, local = '', host = ''] = /^(.*)@([^@]*)$/s.exec(value) ?? [];
	const domain = toHost(host);
	if (!localPart.test(local) || !/[\p{L}\p{N}]/u.test(local) || domain === undefined)
		return { problem: `must be an email address, but is ${quote(cell)}` };
	// Such as none@none.com: whoever has no address has this one.
	if (isPlaceholder(local) && isPlaceholder(domain.split('.')[0] ?? '')) return placeholder(cell);
	return { value, identity: `${local.toLowerCase()}@${domain}` };
});

/** The domain of a URL or an email address, too, in the form that every service accepts. */
export const readDomain = reader((cell) => {
	const [, address = cell] = /^[^<>]*<([^<>]+)>$/.exec(cell) ?? [];
	const domain = toHost(
		normalize(address, 'NFKC')
			.replace(/。/g, '.')
			.replace(/^(?:[a-z][a-z\d+-]*:\/|\/\/)\/*/i, '')
			.replace(/^mailto:/i, '')
			.replace(/[/?#].*/s, '')
			.replace(/^[^@]*@/, '')
			.replace(/:\d*$/, '')
			.replace(/^www\.(?=.*\.)/i, ''),
	);
	// A URL has no blanks, but a list of URLs has.
	if (domain === undefined || /[\s|]/.test(address.trim()))
		return { problem: `must be a domain such as "example.com", but is ${quote(cell)}` };
	return { value: domain, identity: domain };
});

/** Where everyone can have a mailbox. Lists of thousands have companies among them, such as orange.fr. */
const mailProviders = new Set(
	`gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es live.com msn.com
	yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.co.jp yahoo.com.br ymail.com rocketmail.com aol.com icloud.com me.com mac.com
	proton.me protonmail.com pm.me gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.ru yandex.ru bk.ru
	qq.com 163.com 126.com foxmail.com naver.com hanmail.net laposte.net libero.it wp.pl o2.pl seznam.cz uol.com.br bol.com.br
	rediffmail.com fastmail.com hey.com tutanota.com mail.com comcast.net`.split(/\s+/),
);

/** The domain of a company: an account of a mail provider would be that of all who have a mailbox there. */
export const readCompanyDomain: Reader = (text) => {
	const reading = readDomain(text);
	if (!reading || 'problem' in reading || !mailProviders.has(reading.identity)) return reading;
	return {
		problem: `is ${quote(reading.value)}, where everyone can have a mailbox. Enter the company's own domain`,
	};
};

/** A domain has at most so many characters, as it is sent. */
const longestDomain = 253;

/** @returns undefined for what is no domain, so that no account gets the name of a scheme or a sentence */
function toHost(text: string): string | undefined {
	const name = text.toLowerCase().replace(/(?<!\.)\.+$/, '');
	const host = /[^\0-\x7f]/.test(name) ? parseUrl(`https://${name}`)?.hostname : name;
	const labels = host?.split('.') ?? [];
	const isDomain =
		labels.length > 1 &&
		labels.every((label) => /^[\w-]{1,63}$/.test(label)) &&
		// Otherwise, it is a number or an abbreviation.
		/[a-z]./.test(labels.at(-1) ?? '');
	return isDomain && host !== undefined && host.length <= longestDomain ? host : undefined;
}
