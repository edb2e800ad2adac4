import fc from 'fast-check';
import { NodeHelpers } from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { isExposed, parseBaseUrl } from '../../../nodes/api/connection.ts';
import { generated } from '../../generated.mts';

const { properties } = new PageAudienceApi();

/** Numbers around the edges of private networks. */
const number = fc.oneof(
	fc.constantFrom(0, 10, 15, 16, 31, 32, 63, 64, 100, 127, 128, 168, 169, 172, 192, 254),
	fc.nat(255),
);
const ipv4 = fc.array(number, { minLength: 4, maxLength: 4 }).map((numbers) => numbers.join('.'));
const group = fc.oneof(
	fc.constantFrom(0xfc00, 0xfdff, 0xfe7f, 0xfe80, 0xfebf, 0xfec0),
	fc.nat(0xffff),
);
const anyHost = fc.oneof(
	fc
		.array(
			fc.constantFrom(
				'a',
				'arpa',
				'com',
				'home',
				'internal',
				'lan',
				'local',
				'localhost',
				'test',
				'10',
				'127',
			),
			{ minLength: 1, maxLength: 4 },
		)
		.map((labels) => labels.join('.')),
	fc.array(number, { minLength: 1, maxLength: 4 }).map((numbers) => numbers.join('.')),
	ipv4,
	fc.oneof(ipv4, fc.tuple(group, group).map(writeGroups)).map((end) => `[::ffff:${end}]`),
	fc.tuple(group, group).map((groups) => `[${writeGroups(groups, '::')}]`),
	fc.constantFrom('[::]', '[::1]', '[::2]'),
);
const anyUrl = fc
	.tuple(
		fc.constantFrom('', ' ', '\n'),
		fc.constantFrom('http://', 'http://', 'http://', 'HTTP://', 'http:', 'https://'),
		fc.constantFrom('', '', '', 'user@', 'user:pass@', '10.0.0.1@'),
		fc.oneof(
			anyHost,
			anyHost.map((host) => host.toUpperCase()),
		),
		fc.constantFrom('', '', '.'),
		fc.constantFrom('', ':8080', ':'),
		fc.constantFrom('', '/', '/v0', '/a.localhost', '?b=.lan', '#c.test', '\\'),
		fc.constantFrom('', ' '),
	)
	.map((parts) => parts.join(''));

function writeGroups(groups: number[], between = ':'): string {
	return groups.map((each) => each.toString(16)).join(between);
}

describe('the warning about a key that is sent without encryption', () => {
	const notice = properties.find(({ type }) => type === 'notice');

	function isShown(baseUrl: string): boolean {
		if (!notice) throw new Error('The credential has no notice');
		return NodeHelpers.displayParameter({ baseUrl, apiKey: 'k' }, notice, null, null);
	}

	test.each([
		['http://api.example.com', true],
		['HTTP://api.example.com:8080/base', true],
		[' http://93.184.216.34', true],
		['http://172.32.0.1', true],
		['http://localhost.example.com', true],
		['http://internal.example.com', true],
		['https://api.example.com', false],
		['api.example.com', false],
		['http://localhost:5678', false],
		['http://service:8080/v0', false],
		['http://127.0.0.1:3000', false],
		['http://10.1.2.3', false],
		['http://192.168.1.10', false],
		['http://172.16.0.1', false],
		['http://169.254.1.1', false],
		['http://api.internal', false],
		['http://nas.local:8080', false],
		['http://api.home.arpa/v0', false],
		['http://[::1]:3000', false],
		['http://[fd00::1]', false],
		['http://[2001:db8::1]', true],
		['http://100.64.0.7:5678', false],
		['http://100.128.0.7', true],
		['http://10.example.com', true],
		['http://api.internal.', false],
		['http://[::FFFF:10.0.0.1]', false],
	])('for %s: %p', (baseUrl, expected) => {
		expect(isShown(baseUrl)).toBe(expected);
		// The hint of a run says the same.
		expect(isExposed(parseBaseUrl(baseUrl))).toBe(expected);
	});

	test.each(['http://', 'http:// api.example.com', 'http://a b.example.com'])(
		'for %j, which is no web address: false',
		(baseUrl) => {
			expect(isShown(baseUrl)).toBe(false);
		},
	);

	test('for every URL: what the hint of a run says', () => {
		const sides = { exposed: 0, safe: 0 };
		fc.assert(
			fc.property(anyUrl, (baseUrl) => {
				fc.pre(URL.canParse(baseUrl.trim()));
				const expected = isExposed(parseBaseUrl(baseUrl));
				sides[expected ? 'exposed' : 'safe']++;
				expect(isShown(baseUrl)).toBe(expected);
			}),
			generated(2_000),
		);
		expect(Math.min(sides.exposed, sides.safe)).toBeGreaterThan(generated(2_000).numRuns / 10);
	});
});
