import { describeWorkflow, setUpN8n, tested } from '../n8n/n8nSetup.mts';

// What visitors type into the phone field of a form, with a good email. No lead may be lost for it.

const setup = setUpN8n();

const phones = [
	...['asdf', 'call me', '12', '123', '1234', '4711', '0170', '1-800-FLOWERS', '+1 (555) 123'],
	...[
		'ask reception',
		'yes',
		'@ada',
		'ada@x.example',
		'https://wa.me/4915112345678',
		'skype: ada.berg',
	],
	...[
		'0151/234 567 89 ab 18 Uhr',
		'555-0100 / 555-0101',
		'(02) 9999 9999 ask for Jo',
		'🙂',
		'+33 6 12 34',
	],
	...[
		'abc123',
		'#ERROR!',
		'n/a',
		'-',
		'kein Telefon',
		'0000000000',
		'123456789',
		'4.93012E+11',
		'+49',
	],
	...[
		'{{phone}}',
		'NIP: 525-000-01-71',
		'tel',
		'12.05.2026',
		'18:30',
		'https://www.facebook.com/ada',
	],
	...['+49 30 1234567 or +49 170 7654321', '<b></b>', '[object Object]', 'test', '+49 30 1234567'],
];

test('40 leads with anything as their phone are logged', async () => {
	const parameters = {
		resource: 'personLog',
		operation: 'create',
		source: 'form',
		payloadMode: 'inputItem',
		person: { email: '={{ $json.email }}', phoneNumber: '={{ $json.phone }}' },
	};
	const id = await setup.createWorkflow(describeWorkflow(parameters, setup.credential));
	const leads = phones.map((phone, n) => ({ email: `lead${n}@alpha.example`, phone }));
	expect(leads).toHaveLength(40);
	const { status, nodes } = await setup.finish(id, leads);
	expect(status).toBe('success');
	const bodies = setup.sandbox.requests.map(({ body }) => body as { email: string });
	expect(bodies.map(({ email }) => email).sort()).toEqual(leads.map(({ email }) => email).sort());
	const numbers = bodies.flatMap((body) => ('phoneNumber' in body ? [body.phoneNumber] : []));
	expect(numbers.sort()).toEqual(['(02) 9999 9999', '+4915112345678', '+49301234567']);
	expect(nodes[tested][0].hints.map(({ message }) => message)).toEqual([
		expect.stringContaining('Person > Phone Number of 36 items was left out: '),
	]);
});
