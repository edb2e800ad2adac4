import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../../tools/root.mts';

export interface TextFunction {
	/** As `nodes/api/redact.ts redact`. */
	name: string;
	/** @returns the work of one call with a text wherever the types of the parameters can hold one */
	prepare: (text: string) => Promise<() => void>;
}

/** Makes a value of a type around a text. Of several constants it takes the one of that number. */
type Maker = (text: string, choice: number) => unknown;

/** What a stranger does not choose. */
const secret = 'a1'.repeat(32);
/** What the functions that read a response do with a text in it is one thing: they throw UnexpectedResponseError, which is called itself. */
const response = { status: 200, headers: {}, body: '', request: {}, apiKey: secret };
const fixed: Record<string, unknown> = {
	apiKey: secret,
	secrets: [secret],
	tokens: [secret],
	response,
};

/** Every function and class that a file in `nodes/` exports and that a text can be given to. */
export function listTextFunctions(): TextFunction[] {
	const files = globSync('nodes/**/*.ts', { cwd: root });
	const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as {
		config: unknown;
	};
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const program = ts.createProgram(
		files.map((file) => join(root, file)),
		options,
	);
	const checker = program.getTypeChecker();
	return files.flatMap((file) => {
		const source = program.getSourceFile(join(root, file));
		const module = source && checker.getSymbolAtLocation(source);
		return (module ? checker.getExportsOfModule(module) : []).flatMap((symbol) => {
			const parameters = new Parameters(checker, symbol);
			if (!parameters.makers) return [];
			const prepare = (text: string) => prepareCall(file, symbol.name, parameters, text);
			return [{ name: `${file} ${symbol.name}`, prepare }];
		});
	});
}

async function prepareCall(
	file: string,
	name: string,
	{ makers = [], choices }: Parameters,
	text: string,
) {
	const exported = (await import(join(root, file))) as Record<string, Function>;
	const called = exported[name];
	const isClass = /^class\b/.test(String(called));
	const call = (values: unknown[]) => {
		try {
			const result: unknown = isClass
				? Reflect.construct(called, values)
				: Reflect.apply(called, undefined, values);
			if (result instanceof Promise) result.catch(() => {});
		} catch {
			// Refusing a text is work too.
		}
	};
	const calls = Array.from({ length: choices }, (_, choice) =>
		makers.map((make) => make(text, choice)),
	);
	return () => calls.forEach(call);
}

/** What only n8n or a run can give: what uses it is tested with them. */
const given = /(?:Functions|Context|Client|Traffic|Run|Session)$/;

class Parameters {
	/** undefined where no text can be given */
	readonly makers?: Maker[];

	/** Calls that try every constant that a parameter can be. */
	choices = 1;

	private holdsText = false;

	private readonly checker: ts.TypeChecker;

	constructor(checker: ts.TypeChecker, symbol: ts.Symbol) {
		this.checker = checker;
		this.makers = this.read(symbol);
	}

	private read(symbol: ts.Symbol): Maker[] | undefined {
		const type = this.checker.getTypeOfSymbol(symbol);
		const [signature] = [...type.getCallSignatures(), ...type.getConstructSignatures()];
		const makers = signature?.parameters.map((each) => this.readValue(each));
		return this.holdsText && makers?.every((make) => make !== undefined) ? makers : undefined;
	}

	private readValue(symbol: ts.Symbol, depth = 0): Maker | undefined {
		const value = fixed[symbol.name];
		if (value !== undefined) return () => value;
		return this.readType(this.checker.getTypeOfSymbol(symbol), depth);
	}

	private readType(type: ts.Type, depth: number): Maker | undefined {
		const { flags } = type;
		if (flags & ts.TypeFlags.TypeParameter) {
			const least = this.checker.getBaseConstraintOfType(type);
			return this.readType(least ?? this.checker.getStringType(), depth);
		}
		if (canBeText(type)) return this.noteText((text) => text);
		if (type.isUnion()) {
			const some = type.types.filter(({ flags: f }) => !(f & nothing));
			const text = some.find(canBeText);
			if (text) return this.readType(text, depth);
			const makers = some.map((each) => this.readType(each, depth));
			if (some.every((each) => each.isLiteral()))
				this.choices = Math.max(this.choices, Math.min(makers.length, 4));
			return (value, choice) => makers[choice % makers.length]?.(value, choice);
		}
		if (type.isLiteral()) return () => type.value;
		if (flags & ts.TypeFlags.NumberLike) return () => 7;
		if (flags & ts.TypeFlags.BooleanLike) return () => true;
		if (flags & nothing) return () => undefined;
		return depth < 5 ? this.readObject(type, depth + 1) : undefined;
	}

	private readObject(type: ts.Type, depth: number): Maker | undefined {
		const name = type.aliasSymbol?.name ?? type.symbol?.name ?? '';
		if (given.test(name)) return undefined;
		if (name === 'Date') return () => new Date(0);
		if (name === 'Buffer') return this.noteText((text) => Buffer.from(text));
		if (name === 'Set') return this.noteText((text) => new Set([text]));
		if (name === 'Map') return this.noteText((text) => new Map([[text, text]]));
		const [call] = type.getCallSignatures();
		if (call) return this.readType(call.getReturnType(), depth);
		if (this.checker.isArrayLikeType(type)) {
			const each = this.checker.getTypeArguments(type as ts.TypeReference)[0];
			const make = each && this.readType(each, depth);
			return make && ((text, choice) => [make(text, choice)]);
		}
		if (this.checker.getIndexInfosOfType(type).length > 0 || type.flags & ts.TypeFlags.NonPrimitive)
			return this.noteText(makeRecord);
		const members = type.getProperties().map((each) => {
			const make = this.readValue(each, depth);
			const isOptional = (each.flags & ts.SymbolFlags.Optional) !== 0;
			return { name: each.name, make: make ?? (isOptional ? () => undefined : undefined) };
		});
		if (members.some(({ make }) => !make)) return undefined;
		return (text, choice) =>
			Object.fromEntries(members.map((each) => [each.name, each.make?.(text, choice)]));
	}

	private noteText(make: Maker): Maker {
		this.holdsText = true;
		return make;
	}
}

const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void | ts.TypeFlags.Never;

function canBeText(type: ts.Type): boolean {
	const { Any, Unknown, String: text } = ts.TypeFlags;
	return type.isIntersection()
		? type.types.some(canBeText)
		: (type.flags & (Any | Unknown | text)) !== 0;
}

/** A record of the service, with the text in whatever field is asked for. */
function makeRecord(text: string): object {
	return new Proxy(
		{ [text]: text, message: text },
		{ get: (_, name) => (typeof name === 'string' && name !== 'then' ? text : undefined) },
	);
}
