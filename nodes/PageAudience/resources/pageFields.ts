import type { INodeProperties } from 'n8n-workflow';
import { choiceField, textField } from '../../parameters/fields';

/** Parameters that Page > Create and Page > Update share. */

export const inFields = {
	displayOptions: { show: { specifyBody: ['fields'] } },
} as const satisfies Pick<INodeProperties, 'displayOptions'>;

export const specifyBody = choiceField(
	'Specify Page Data',
	'specifyBody',
	'How to enter the fields of the page',
	{
		fields: ['Using Fields Below', 'Enter each field in this panel'],
		json: [
			'Using JSON',
			'Enter all fields as one JSON object, for example a page from another node',
		],
	},
);

export const jsonBody = {
	displayName: 'JSON',
	name: 'jsonBody',
	type: 'json',
	typeOptions: { rows: 10 },
	default: '{}',
	required: true,
	displayOptions: { show: { specifyBody: ['json'] } },
	description:
		'The request body as JSON. Fields that exist only in responses, such as status, are removed.',
} as const satisfies INodeProperties;

export const brandId = textField(
	'Brand ID',
	'brandId',
	"ID of the page's brand. Copy it from your service: the API can't list brands.",
);

export const headerActionId = textField(
	'Header Action ID',
	'headerActionId',
	'ID of the action to show in the page header',
);

export const pageName = textField('Name', 'name', 'Name of the page in the service', {
	placeholder: 'e.g. Spring campaign',
});

export const pageContext = textField('Page Context', 'pageContext', 'What the page is about', {
	typeOptions: { rows: 4 },
	placeholder: 'e.g. For logistics teams that want to see a demo',
});

export const pageType = choiceField('Page Type', 'pageType', 'Purpose of the page', {
	inbound: 'Inbound',
	call_followup: 'Call Follow-Up',
	custom: 'Custom',
	outbound: 'Outbound',
	sales_deck: 'Sales Deck',
});
