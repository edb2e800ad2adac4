import { readReach } from '../../../nodes/api/url.ts';

describe('how far an address reaches', () => {
	test.each([
		['localhost', 'loopback'],
		['LOCALHOST.', 'loopback'],
		['a.localhost', 'loopback'],
		['127.0.0.1', 'loopback'],
		['127.9.9.9', 'loopback'],
		['127.255.10.254', 'loopback'],
		['0.0.0.0', 'loopback'],
		['0.1.2.3', 'loopback'],
		['[::1]', 'loopback'],
		['10.1.2.3', 'private'],
		['172.16.0.1', 'private'],
		['172.32.0.1', 'public'],
		['192.168.1.1', 'private'],
		['[fd00::1]', 'private'],
		['[fe80::1]', 'private'],
		['n8n', 'private'],
		['nas.local', 'private'],
		['host.docker.internal', 'private'],
		['1.2.3.4', 'public'],
		['127.example.com', 'public'],
		['localhost.example.com', 'public'],
		['api.example.com', 'public'],
		['[2001:db8::1]', 'public'],
		['172.15.255.255', 'public'],
		['[::]', 'loopback'],
		['[::2]', 'public'],
		['[febf::1]', 'private'],
		['[fec0::1]', 'public'],
		['[fc::1]', 'public'],
		['[fdff::1]', 'private'],
		['api.lan.', 'private'],
		['api.home.arpa', 'private'],
		['api.test', 'private'],
		['10.example.com', 'public'],
		['lan.example.com', 'public'],
		['', 'public'],
	])('%s: %s', (host, reach) => {
		expect(readReach(host)).toBe(reach);
	});
});
