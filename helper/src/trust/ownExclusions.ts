/** What kind of host an exclusion is about, for logs and for `trust`, which tells the user. */
export interface Exclusion {
  readonly kind: string;
  /** Domains, with everything under them. */
  readonly suffixes: readonly string[];
  /** Names that are the same in many countries (hsbc.co.uk, hsbc.fr): any one label of the host, whole. */
  readonly labels?: readonly string[];
  /** Parts of any label, where leaving one host too many alone costs nothing but speed. */
  readonly words?: readonly string[];
  /** The first label alone, of a host with a domain of its own below (login.example.com). */
  readonly firstLabels?: readonly string[];
}

/**
 * What the helper never opens, whatever the user allows. Not complete, and can not be: it holds what can be told by its name. It errs on the side of leaving alone, which costs the gain in speed
 * on that host and nothing else. What it misses the user adds (excludedHosts.ts).
 */
export const OWN_EXCLUSIONS: readonly Exclusion[] = [
  {
    kind: 'bank or payment',
    suffixes: [
      'bank', 'insurance', 'chase.com', 'citi.com', 'discover.com', 'schwab.com', 'td.com', 'rbc.com', 'bmo.com', 'anz.com', 'anz.com.au', 'nab.com.au', 'ubs.com', 'n26.com', 'wise.com', 'ing.com', 'ing.de', 'ing.nl', 'ing.es',
      'dkb.de', 'sbi.co.in', 'mufg.jp', 'smbc.co.jp', 'dbs.com', 'dbs.com.sg', 'seb.se', 'dnb.no', 'kbc.be', 'ccb.com', 'rbs.co.uk', 'halifax.co.uk', 'nationwide.co.uk', 'ally.com', 'usaa.com', 'sofi.com', 'stripe.com', 'stripe.network',
      'checkout.com', 'squareup.com', 'square.com', 'cash.app', 'visa.com', 'braintreegateway.com', 'braintree-api.com', 'pay.google.com', 'payments.google.com', 'pay.amazon.com', 'authorize.net', 'sofort.com',
    ],
    labels: [
      'wellsfargo', 'capitalone', 'americanexpress', 'fidelity', 'vanguard', 'hsbc', 'barclays', 'barclaycard', 'lloyds', 'natwest', 'monzo', 'revolut', 'starling', 'santander', 'bbva', 'bnpparibas', 'credit-agricole', 'societegenerale',
      'creditmutuel', 'labanquepostale', 'boursorama', 'postfinance', 'credit-suisse', 'comdirect', 'nordea', 'handelsbanken', 'abnamro', 'belfius', 'unicredit', 'intesasanpaolo', 'fineco', 'pkobp', 'ipko', 'westpac', 'cibc',
      'desjardins', 'itau', 'bradesco', 'nubank', 'tinkoff', 'icbc', 'ocbc', 'paypal', 'paypalobjects', 'adyen', 'klarna', 'mastercard', 'worldpay', 'alipay', 'venmo', 'mollie', 'giropay', 'razorpay', 'mercadopago', 'coinbase',
      'binance', 'kraken', 'etrade', 'robinhood', 'traderepublic',
    ],
    words: ['bank', 'banque', 'banco', 'banca', 'sparkasse', 'raiffeisen', 'creditunion', 'insurance', 'versicherung'],
    firstLabels: ['pay', 'payment', 'payments', 'checkout', 'billing', 'wallet'],
  },
  {
    kind: 'health',
    suffixes: ['nhs.uk', 'nhs.net', 'kp.org', 'epic.com', 'teladoc.com', 'zocdoc.com', 'ameli.fr', 'gematik.de', 'tk.de', 'aok.de', 'barmer.de', '1177.se', 'sundhed.dk', 'helsenorge.no', 'kanta.fi'],
    labels: ['doctolib', 'mychart'],
    words: ['hospital', 'klinik', 'clinic', 'krankenkasse', 'patientportal', 'healthcare'],
    firstLabels: ['patient', 'patients'],
  },
  {
    kind: 'government',
    suffixes: [
      'gov', 'mil', 'europa.eu', 'gc.ca', 'canada.ca', 'go.jp', 'go.kr', 'go.th', 'go.id', 'go.ke', 'go.tz', 'gv.at', 'admin.ch', 'bund.de', 'elster.de', 'fgov.be', 'belgium.be', 'overheid.nl', 'rijksoverheid.nl', 'belastingdienst.nl',
      'skatteverket.se', 'borger.dk', 'skat.dk', 'skatteetaten.no', 'altinn.no', 'suomi.fi', 'vero.fi', 'service-public.fr', 'gosuslugi.ru', 'police.uk', 'parliament.uk',
    ],
    // as in gov.uk, gob.mx, gouv.fr, govt.nz, mil.br: the second level of most countries
    labels: ['gov', 'gob', 'gouv', 'govt', 'mil', 'gub'],
  },
  {
    kind: 'sign-in',
    suffixes: [
      'microsoftonline.com', 'login.live.com', 'okta.com', 'oktapreview.com', 'okta-emea.com', 'auth0.com', 'onelogin.com', 'duosecurity.com', 'pingidentity.com', 'pingone.com', 'appleid.apple.com', 'idmsa.apple.com', 'id.me', 'digid.nl',
      'itsme.be', 'franceconnect.gouv.fr', 'frejaeid.com',
    ],
    firstLabels: ['login', 'logon', 'signin', 'sso', 'auth', 'oauth', 'oauth2', 'accounts', 'idp', 'adfs', 'saml', 'vpn'],
  },
  {
    kind: 'password manager',
    suffixes: ['1password.com', '1password.eu', '1password.ca', 'bitwarden.com', 'bitwarden.eu', 'bitwarden.net', 'lastpass.com', 'lastpass.eu', 'dashlane.com', 'nordpass.com', 'proton.me', 'protonmail.com', 'passbolt.com', 'roboform.com', 'enpass.io'],
    labels: ['keepersecurity'],
    firstLabels: ['vault'],
  },
  {
    // their programs check that the certificate is the one they know (pinning), so ours would only break them
    kind: 'updates and stores',
    suffixes: [
      'update.googleapis.com', 'play.googleapis.com', 'safebrowsing.googleapis.com', 'android.clients.google.com', 'clients1.google.com', 'clients2.google.com', 'clients3.google.com', 'clients4.google.com', 'clients5.google.com', 'clients6.google.com',
      'dl.google.com', 'play.google.com', 'chromewebstore.google.com', 'chrome.google.com', 'addons.mozilla.org', 'aus5.mozilla.org', 'download.mozilla.org', 'telemetry.mozilla.org', 'services.mozilla.com', 'cdn.mozilla.net',
      'accounts.firefox.com', 'windowsupdate.com', 'update.microsoft.com', 'delivery.mp.microsoft.com', 'itunes.apple.com', 'apps.apple.com', 'push.apple.com', 'gs.apple.com', 'swscan.apple.com', 'swcdn.apple.com', 'icloud.com', 'signal.org', 'snapcraft.io',
    ],
  },
];
