/** As on a machine in Tokyo, until the mocks are restored: JavaScript takes a time without a zone for one of the machine's. */
export function moveToTokyo(): void {
	const parse = Date.parse.bind(Date);
	jest
		.spyOn(Date, 'parse')
		.mockImplementation((text) =>
			parse(/[T ][\d:.]+( [AP]M)?$/i.test(text) ? `${text}+09:00` : text),
		);
}
