import type { WorkflowNode } from '../../../tools/n8n/workflow.mts';

// How n8n's editor draws notes and nodes: sizes in pixels, as its styles have them.

export type Box = { left: number; top: number; right: number; bottom: number };

const lineHeight = 1.35;
/** Of the width of a letter to the size of the font, on average, with some reserve. */
const letterWidth = 0.52;
const spaceBelow = 8;
const listIndent = 16;
const fontSizes: Record<string, number> = { '#': 36, '##': 24, '###': 16 };
const usualFont = 14;
/** What a note keeps free around its text. */
const padding = { sides: 16, height: 32 };

const node = 100;
/** A node with places for tools and models below it has its name inside. */
const wideNode = 256;
/** The name below the icon is wider than that. */
const name = { overhang: 60, height: 34 };

const hasPlaces = ({ type }: WorkflowNode): boolean =>
	/\.(agent|mcpTrigger|\w+HitlTool)$/.test(type);

export const isNote = ({ type }: WorkflowNode): boolean => type === 'n8n-nodes-base.stickyNote';

export function boxOfNote({ position: [left, top], parameters }: WorkflowNode): Box {
	const { width, height } = parameters as { width: number; height: number };
	return { left, top, right: left + width, bottom: top + height };
}

/** The icon with the name below it. */
export function boxOfNode(of: WorkflowNode): Box {
	const [left, top] = of.position;
	if (hasPlaces(of)) return { left, top, right: left + wideNode, bottom: top + node };
	return {
		left: left - name.overhang,
		top,
		right: left + node + name.overhang,
		bottom: top + node + name.height,
	};
}

export const overlap = (one: Box, other: Box): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

export const isWithin = (inner: Box, outer: Box): boolean =>
	inner.left >= outer.left &&
	inner.right <= outer.right &&
	inner.top >= outer.top &&
	inner.bottom <= outer.bottom;

/** The part of a note that its text takes. */
export function textOfNote(note: WorkflowNode): Box {
	const box = boxOfNote(note);
	const width = box.right - box.left - padding.sides;
	const lines = String(note.parameters.content).split('\n').filter(Boolean);
	const heights = lines.map((line) => heightOf(line, width));
	const height = heights.reduce((sum, each) => sum + each, padding.height);
	return { ...box, bottom: box.top + Math.ceil(height) };
}

function heightOf(line: string, width: number): number {
	const [, mark = '', text = ''] = /^(#+|-|\d+\.)?\s*(.*)$/.exec(line) ?? [];
	const font = fontSizes[mark] ?? usualFont;
	const shown = text.replace(/\*\*|`|\[|\]\(.*?\)/g, '');
	const columns = (width - (mark && !fontSizes[mark] ? listIndent : 0)) / (font * letterWidth);
	return Math.ceil(shown.length / columns) * font * lineHeight + spaceBelow;
}
