/** The beginning of a text, in characters as people see them, so that no emoji is cut in half. */
export function shorten(text: string, most: number): string {
	const characters = [...text];
	return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}
