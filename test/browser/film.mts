import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, uncovered } from './editor.mts';

/** One picture of the film. */
export type Frame = { file: string; seconds: number };

/** Takes the pictures of a film, which `npm run pictures` puts together. They are in a folder of the film's name. */
export class Film {
	readonly #frames: Frame[] = [];
	readonly #folder: string;
	#caption = '';

	constructor(name: string) {
		this.#folder = join(screenshots, name);
		rmSync(this.#folder, { recursive: true, force: true });
		mkdirSync(this.#folder, { recursive: true });
	}

	/** The line below the pictures that follow. */
	say(caption: string): void {
		this.#caption = caption;
	}

	/** Takes a picture, with the pointer on this part. */
	async show(page: Page, seconds: number, pointed?: Locator): Promise<void> {
		const file = `${String(this.#frames.length + 1).padStart(2, '0')}.png`;
		const style = uncovered + drawCaption(this.#caption) + (await drawPointer(pointed));
		// The sandbox's pages refuse style elements.
		await page.evaluate((text) => {
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(text);
			document.adoptedStyleSheets.push(sheet);
		}, style);
		await page.screenshot({ path: join(this.#folder, file), animations: 'disabled' });
		await page.evaluate(() => void document.adoptedStyleSheets.pop());
		this.#frames.push({ file, seconds });
	}

	end(): void {
		writeFileSync(join(this.#folder, 'frames.json'), JSON.stringify(this.#frames));
	}
}

const overEverything = 'position: fixed; z-index: 2147483647; pointer-events: none;';

const drawCaption = (caption: string): string => `html::after {
	${overEverything}
	content: ${JSON.stringify(caption)};
	inset: auto 0 0;
	padding: 13px;
	background: #1f2937;
	color: white;
	font: 600 20px / 26px sans-serif;
	text-align: center;
}`;

const arrow = `<svg xmlns="http://www.w3.org/2000/svg" width="26" height="32" viewBox="0 0 13 16">
	<path d="M1 1v12l3-3 2 5 2-1-2-5h4z" fill="black" stroke="white"/>
</svg>`;

/** A browser without a screen has no pointer. */
async function drawPointer(pointed?: Locator): Promise<string> {
	const box = await pointed?.boundingBox();
	if (!box) return '';
	return `html::before {
	${overEverything}
	content: url("data:image/svg+xml,${encodeURIComponent(arrow)}");
	left: ${box.x + box.width * 0.7}px;
	top: ${box.y + box.height * 0.6}px;
}`;
}
