import { isRewritten, withoutParameter, withParameter } from '../../../nodes/api/url.ts';

test.each([
	['https://a.example/x', 'https://a.example/x?token=b%20c%26d'],
	['https://a.example/x?', 'https://a.example/x?token=b%20c%26d'],
	['https://a.example/x?q=1', 'https://a.example/x?q=1&token=b%20c%26d'],
	['https://a.example/x?token=1&q=1&token=2', 'https://a.example/x?q=1&token=b%20c%26d'],
])('%s gets the parameter behind the others: %s', (url, changed) => {
	expect(withParameter(url, 'token', 'b c&d')).toBe(changed);
});

test.each([
	['https://a.example/x', 'https://a.example/x'],
	['https://a.example/x?q=%20&token=1', 'https://a.example/x?q=%20'],
	['https://a.example/x?token=1', 'https://a.example/x'],
	['https://a.example/x?tokens=1&&token=2&', 'https://a.example/x?tokens=1'],
])('%s without the parameter is %s', (url, changed) => {
	expect(withoutParameter(url, 'token')).toBe(changed);
});

test.each([
	['https://a.example/X', 'http://A.example/x/', true],
	['https://a.example/x?q=ABC', 'https://a.example/x?q=abc', true],
	['https://a.example/x?q=stra%C3%9Fe', 'https://a.example/x?q=strasse', false],
	['https://a.example/x', 'https://a.example/y', false],
	['no URL', 'no URL', false],
])('%s may have been stored as %s: %p', (sent, stored, is) => {
	expect(isRewritten(sent, stored)).toBe(is);
});
