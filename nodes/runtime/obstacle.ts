import { type LostConnection, readLoss } from './loss';

/*
 * Between n8n and a server stand n8n's own rules about addresses, and perhaps the outbound proxy of its network. What they
 * refuse never reaches the server, so it says nothing about the server or the API key.
 */

export type Explanation = [message: string, ...advice: string[]];

const refusal: Explanation = [
	'n8n refused to send the request',
	'Ask the person who runs n8n to allow the host in N8N_SSRF_ALLOWED_HOSTNAMES, or its IP address in N8N_SSRF_ALLOWED_IP_RANGES.',
];

const distrust: Explanation = [
	'The certificate of the address is not trusted',
	"If your company, its proxy or the host itself has signed it, set NODE_EXTRA_CA_CERTS to a file with the signer's certificate for each process of n8n, and restart them. Otherwise check the address, and ask its owner to add the intermediate certificates.",
];

const invalid: Explanation = [
	'The certificate of the address is not valid',
	"An expired certificate has to be renewed by its owner. If it is for another host, correct the address. Also check the clock of n8n's machine.",
];

const demand: Explanation = [
	'The service asks for a client certificate',
	'Nodes cannot send one. Ask the service for an address without it, or enter the address of a proxy that sends it as the Base URL.',
];

/** The issuer of the certificate is unknown. */
const untrusted = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** The issuer is known, but the certificate is not for this moment or host. */
const unfit = /^(?:CERT_|ERR_TLS_CERT_)/;
/** The server ended the connection, because the client showed no certificate. */
const demanded = /_ALERT_CERTIFICATE_REQUIRED$/;

export const isDistrusted = ({ code = '' }: LostConnection) => untrusted.test(code);
export const isUnfit = ({ code = '' }: LostConnection) => unfit.test(code);

/** What keeps a request from its server, if the loss tells it, and what can be done. */
export function findObstacle({ code = '', isRefusal }: LostConnection): Explanation | undefined {
	if (isRefusal) return refusal;
	if (untrusted.test(code)) return distrust;
	if (demanded.test(code)) return demand;
	return unfit.test(code) ? invalid : undefined;
}

/** Why a request without a response failed, and what the person who runs n8n can change if that is known. */
export function describeLoss(error: unknown): string {
	const loss = readLoss(error);
	const [what, ...advice] = findObstacle(loss) ?? [];
	return what ? [`${what} (${loss.reason}).`, ...advice].join(' ') : loss.reason;
}

export interface ProxiedResponse {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** Headers of a proxy next to n8n. `Proxy-Status` may also come from one in front of the service. */
const proxyHeader = /^(?:proxy-(?!status$)|x-squid-)/i;

/** Whether an outbound proxy responded in place of the server: surely, perhaps, or not. */
export function isOfProxy({ status, headers, body }: ProxiedResponse): boolean | 'perhaps' {
	if (status < 400) return false;
	if (status === 407 || Object.keys(headers).some((name) => proxyHeader.test(name))) return true;
	// What a proxy responds to a connection that it refuses is seldom JSON, and the nodes cannot see who responded.
	const isJson = typeof body === 'object' && body !== null;
	return [400, 403].includes(status) && !isJson && 'perhaps';
}

export const proxyAdvice =
	'Let the outbound proxy of n8n pass requests to this host, put its login into HTTPS_PROXY (for http://, into HTTP_PROXY) if it asks for one, or add the host to NO_PROXY.';
