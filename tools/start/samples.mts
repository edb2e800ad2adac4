import type { Item, JsonObject } from '../n8n/execution.mts';
import type { Example } from './starter.mts';

const itemsOf = (records: JsonObject[]): Item[] => records.map((json) => ({ json }));

/** As HubSpot has them, with empty fields left out. */
function readContact(line: string): JsonObject {
	const [vid, name, email, phone, company, lifecyclestage, changed] = line.split('|');
	const [firstname, ...lastnames] = name.split(' ');
	const lastname = lastnames.join(' ');
	const lastmodifieddate = String(Date.parse(`2026-${changed}Z`));
	const contact = { firstname, lastname, email, phone, company, lifecyclestage, lastmodifieddate };
	const given = Object.entries(contact).filter(([, value]) => value);
	return { vid, properties: Object.fromEntries(given.map(([key, value]) => [key, { value }])) };
}

const contacts = `
crm-1001|Ada Lindqvist|ada.lindqvist@meridian.example|+46 8 555 0101|Meridian Freight|customer|10-28T09:14
crm-1002|Tomás Ferreira|tomas.ferreira@vinhoverde.example|+351 21 555 0102|Vinho Verde Distribution|opportunity|11-02T16:40
crm-1003|Grace Okafor|grace@okafor-partners.example||Okafor & Partners|lead|11-03T08:05
crm-1004|Henrik Sørensen||+45 33 55 01 04|Nordhavn Maskiner|lead|09-17T12:30
crm-1005|Mei-Ling Chen|meiling.chen@brightpath.example|+65 6555 0105|Brightpath Learning|marketing-qualified-lead|11-05T03:22
crm-1006|Patrick O'Brien|patrick.obrien@harborcrest.example|+353 1 555 0106|Harborcrest Insurance, Ltd.|customer|10-11T14:55
crm-1007|Zoë van Dijk|zoe@studiovandijk.example||Studio van Dijk|subscriber|08-30T19:47
crm-1008|Rajesh Patel|rajesh.patel@suncoast-solar.example|+1 727 555 0108|Suncoast Solar|sales-qualified-lead|11-04T20:18
crm-1009|Anna Kowalczyk||+48 22 555 01 09|Kowalczyk Transport|opportunity|10-23T11:09
crm-1010|José Luis García Márquez|jl.garcia@alameda-foods.example|+52 55 5555 0110|Alameda Foods|customer|11-01T17:33
crm-1011|Fatima Al-Zahra|f.alzahra@qamar-textiles.example|+971 4 555 0111|Qamar Textiles|lead|10-30T06:51
crm-1012|Sam Whitfield|sam.whitfield@gmail.example|||subscriber|11-06T22:12
crm-1013|Jonas Berg|||Bergwerk Software|lead|11-07T10:26
`;

const offers = 'https://pages.northwind.example/offer';
const rows: Array<[audience: string, name: string, path: string]> = [
	['audience_whfi3k3tibzq6yiwce4gk3mq51', 'Spring offer for carriers', `${offers}/carriers`],
	['audience_ipgxmicyh7vn4k9v22w3ro964e', 'Campaign 3', ''],
	['audience_qy5yzi44c6s9u6wr7ee435m0x1', '', `${offers}/3`],
	['audience_cqwishvh2bgvp51vke492hh5h1', '', `${offers}/warehouses`],
	['audience_icu6dxb9xlifkdbvcbdeljfy0r', 'Autumn campaign', `${offers}/autumn`],
	['audience_notthereanymore0000000000', 'Last year’s campaign', ''],
];

/** What the nodes of other apps output without an account, pinned in `npm start` and in tests. */
export const samples: { [of in Example]?: Record<string, Item[]> } = {
	sync: {
		'HubSpot contacts': itemsOf(contacts.trim().split('\n').map(readContact)),
		'Tell the team': itemsOf([{ ok: true }]),
	},
	overrides: {
		Sheet: itemsOf(
			rows.map(([audience, name, url]) => ({
				'Audience ID': audience,
				'Custom name': name,
				'Action URL': url,
			})),
		),
	},
};
