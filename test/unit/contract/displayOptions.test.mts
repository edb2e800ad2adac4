import type { INodeProperties } from 'n8n-workflow';
import { PageAudience } from '../../../nodes/PageAudience/PageAudience.node.ts';
import { PageAudienceTrigger } from '../../../nodes/PageAudienceTrigger/PageAudienceTrigger.node.ts';

/** The lists of parameters that stand beside each other: of the node, of each collection, of each kind of row. */
function listLevels(properties: INodeProperties[]): INodeProperties[][] {
	const inner = properties.flatMap(({ type, options = [] }) => {
		if (type === 'collection') return listLevels(options as INodeProperties[]);
		return options.flatMap((option) => ('values' in option ? listLevels(option.values) : []));
	});
	return [properties, ...inner];
}

const listConditions = ({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) =>
	Object.keys({ ...show, ...hide });

test.each([
	['Page Audience', new PageAudience()],
	['Page Audience Trigger', new PageAudienceTrigger()],
])('%s shows parameters by others of their level, or by a path from the root', (_, node) => {
	// n8n before 2.41 runs no operation of a node in which one parameter depends on an unknown name.
	for (const level of listLevels(node.description.properties)) {
		const names = level.map(({ name }) => name);
		for (const property of level) {
			const own = listConditions(property).filter((name) => !/^[/@]/.test(name));
			expect({ [property.name]: own.filter((name) => !names.includes(name)) }).toEqual({
				[property.name]: [],
			});
		}
	}
});
