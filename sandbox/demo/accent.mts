const fallback = '#1f4e79';
/** The minimum of WCAG for text. The accent is used for text on white and as the background of white text. */
const leastContrast = 4.5;

function luminance(colour: string): number {
	const [red, green, blue] = [1, 3, 5].map((start) => {
		const share = parseInt(colour.slice(start, start + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The page's theme colour, if it is valid (`#rrggbb`) and legible on white. */
export function chooseAccent(themeColor = fallback): string {
	const isColour = /^#[0-9a-f]{6}$/i.test(themeColor);
	const isLegible = isColour && 1.05 / (luminance(themeColor) + 0.05) >= leastContrast;
	return isLegible ? themeColor : fallback;
}
