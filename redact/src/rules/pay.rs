//! Payment, banks, shops, parcels and coins.

use super::Rule;

const UUID: &str = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

pub(super) const RULES: &[Rule] = &[
    Rule::new("stripe-key", "Stripe secret and restricted keys, test keys too; Clerk, Paystack and others look alike. Publishable keys stay", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"], r"[sr]k_(?:live|test|prod)_(?:a2V5Xz[A-Za-z0-9+/]{40,90}={0,2}|[A-Za-z0-9]{10,250}={0,2})")
        .glued()
        .entropy(2.5)
        .doc("https://docs.stripe.com/keys")
        .takes(&["sk_live_{A24}", "rk_test_{A99}", "sk_test_51{A97}"])
        .leaves(&["pk_live_{A24}", "sk_test_...", "sk_live_your_key_here"]),
    Rule::new("stripe-webhook-secret", "Webhook signing secrets of Stripe and of Standard Webhooks", &["whsec_"], r"whsec_[A-Za-z0-9+/]{24,100}={0,2}")
        .doc("https://docs.stripe.com/webhooks")
        .takes(&["whsec_{A32}", "stripe listen: whsec_{x64}"])
        .leaves(&["whsec_...", "whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::new("stripe-client-secret", "Client secrets of Stripe intents", &["pi_", "seti_"], r"(?:pi|seti)_[A-Za-z0-9]{16,40}_(secret_[A-Za-z0-9]{16,60})\b")
        .mixed()
        .doc("https://docs.stripe.com/api/payment_intents/object")
        .takes(&["pi_{A24}_secret_{A25}", "seti_{A24}_secret_{A32}"])
        .leaves(&["pi_{A24}", "pi_approximation_secret_ingredient"]),
    Rule::new("square-token", "Square access tokens and OAuth secrets", &["EAAA", "sq0atp-", "sq0csp-"], r"(?:EAAA[A-Za-z0-9_-]{60}\b|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43})")
        .entropy(3.8)
        .doc("https://developer.squareup.com/docs/build-basics/access-tokens")
        .takes(&["sq0atp-{A22}", "EAAA{A60}", "secret sq0csp-{A43}"])
        .leaves(&["sq0atp-", "sq0idp-{A22}"]),
    Rule::new("shopify-token", "Shopify app, custom app, private app, delegate and shared secrets", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_", "shpsa_"], r"shp(?:at|ca|pa|ss|ua|sa|tka)_[A-Fa-f0-9]{32,40}\b")
        .glued()
        .doc("https://shopify.dev/docs/apps/build/authentication-authorization")
        .takes(&["shpat_{x32}", "X-Shopify: shpss_{x32}"])
        .leaves(&["shpat_token", "shpat_{x12}"]),
    Rule::new("braintree-token", "Braintree access tokens", &["access_token$production$", "access_token$sandbox$"], r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[A-Fa-f0-9]{32}\b")
        .doc("https://developer.paypal.com/braintree/docs/guides/authorization/")
        .takes(&["access_token$production${a16}${x32}", "gateway = access_token$sandbox${a16}${x32}"])
        .leaves(&["access_token$sandbox$", "access_token$production$use_your_token"]),
    Rule::beside("paypal-secret", "PayPal client secrets", &["paypal"], r"E[A-Za-z0-9_-]{79}")
        .entropy(4.0)
        .doc("https://developer.paypal.com/api/rest/")
        .takes(&["paypal secret E{A79}", "PAYPAL=E{A79}"])
        .leaves(&["paypal version E{A79}", "paypal EmailAddress"]),
    Rule::new("adyen-key", "Adyen API keys", &["AQE"], r"AQE[A-Za-z][A-Za-z0-9+/]{60,240}={0,2}-[A-Za-z0-9+/]{30,60}={0,2}-[^\s\x22'`<>\\&,;)]{10,24}")
        .doc("https://docs.adyen.com/development-resources/api-credentials/")
        .takes(&["AQEy{A90}-{A44}=-{A16}", "x-API: AQEm{A100}==-{A43}=-{A16}"])
        .leaves(&["AQE", "AQEy{A30}"]),
    Rule::new("plaid-token", "Plaid access and link tokens", &["access-sandbox-", "access-development-", "access-production-", "link-sandbox-", "link-production-"], r"(?:access|link)-(?:sandbox|development|production)-[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}")
        .doc("https://plaid.com/docs/api/tokens/")
        .takes(&["access-production-{uuid}", "access-sandbox-{uuid}"])
        .leaves(&["access-sandbox-token", "access-production-<uuid>"]),
    Rule::beside("plaid-secret", "Plaid secrets", &["plaid"], r"[0-9a-f]{30}")
        .doc("https://plaid.com/docs/quickstart/glossary/")
        .takes(&["plaid secret {x30}", "PLAID={x30}"])
        .leaves(&["plaid client id {x24}", "plaid item {x30}"]),
    Rule::new("razorpay-key", "Razorpay key ids: half of a credential", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,24}\b")
        .mixed()
        .doc("https://razorpay.com/docs/payments/dashboard/account-settings/api-keys/")
        .takes(&["rzp_live_{A14}", "RAZORPAY=rzp_test_{A14}"])
        .leaves(&["rzp_test_key", "rzp_live_<key id>"]),
    Rule::new("flutterwave-key", "Flutterwave secret and encryption keys; public keys stay", &["FLWSECK"], r"FLWSECK(?:_TEST|_LIVE)?-?[A-Za-z0-9]{12,40}(?:-X)?\b")
        .mixed()
        .doc("https://developer.flutterwave.com/docs/authentication")
        .takes(&["FLWSECK_TEST-{a32}-X", "FLWSECK-{x32}-X", "FLWSECK_TEST{x12}"])
        .leaves(&["FLWSECK_TEST-", "FLWPUBK_TEST-{x32}-X"]),
    Rule::beside("gocardless-token", "GoCardless and Mollie tokens", &["gocardless", "mollie"], r"(?:live|sandbox|test)_[A-Za-z0-9_-]{11}[A-Za-z0-9_=-]{19,37}")
        .entropy(3.5)
        .doc("https://developer.gocardless.com/api-reference/")
        .takes(&["gocardless token live_{A40}", "mollie.setApiKey('test_{A30}')"])
        .leaves(&["live_{A40}", "mollie key test_the_payment_is_made_and_paid"]),
    Rule::new("lob-key", "Lob secret keys", &["live_", "test_"], r"(?:live|test)_[A-Fa-f0-9]{35}\b")
        .doc("https://docs.lob.com/")
        .takes(&["live_{x35}", "LOB=test_{x35}"])
        .leaves(&["test_pub_{x31}", "test_{x20}"]),
    Rule::new("checkout-key", "Checkout.com secret keys", &["sk_"], r"sk_(?:test_|sbox_)?[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}")
        .entropy(3.2)
        .mixed()
        .doc("https://www.checkout.com/docs/developer-resources/api/manage-api-keys")
        .takes(&["sk_{uuid}", "sk_sbox_{uuid}"])
        .leaves(&["sk_socket_state", "pk_{uuid}"]),
    Rule::new("klarna-key", "Klarna API keys", &["klarna_"], r"klarna_(?:live|test)_api_[A-Za-z0-9*!_-]{30,300}")
        .doc("https://docs.klarna.com/api/authentication/")
        .takes(&["klarna_live_api_{A60}", "klarna_test_api_{A120}"])
        .leaves(&["klarna_live_api_", "klarna_payments"]),
    Rule::new("paddle-key", "Paddle API keys", &["pdl_"], r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}\b")
        .doc("https://developer.paddle.com/api-reference/about/api-keys")
        .takes(&["pdl_live_apikey_{a26}_{A22}_{A3}", "pdl_sdbx_apikey_{a26}_{A22}_{A3}"])
        .leaves(&["pdl_live_apikey_", "pdl_ntfset_{a26}"]),
    Rule::new("polar-token", "Polar tokens", &["polar_"], r"polar_(?:at|oat|pat|rt|cs|whs)_(?:[uo]_)?[A-Za-z0-9_-]{20,100}")
        .mixed()
        .doc("https://polar.sh/docs/integrate/oat")
        .takes(&["polar_oat_{A43}", "POLAR=polar_at_u_{A43}"])
        .leaves(&["polar_plot", "polar_oat_x"]),
    Rule::new("mercury-token", "Mercury API tokens", &["mercury_production_", "mercury_sandbox_", "secret-token:mercury_"], r"(?:secret-token:)?mercury_(?:production|sandbox)_[a-z]{2,6}_[A-Za-z0-9]{40,50}_yrucrem\b")
        .doc("https://docs.mercury.com/reference/getting-started-with-your-api")
        .takes(&["secret-token:mercury_production_rma_{A44}_yrucrem", "mercury_production_wma_{A44}_yrucrem"])
        .leaves(&["mercury_production_", "mercury_sandbox_rma_x"]),
    Rule::new("ramp-secret", "Ramp client secrets", &["ramp_sec_"], r"ramp_sec_[A-Za-z0-9]{48}\b")
        .doc("https://docs.ramp.com/developer-api/v1/authorization")
        .takes(&["ramp_sec_{A48}", "RAMP=ramp_sec_{A48}"])
        .leaves(&["ramp_id_{A40}", "ramp_sec_x"]),
    Rule::new("xendit-key", "Xendit secret keys", &["xnd_production_", "xnd_development_"], r"xnd_(?:production|development)_[A-Za-z0-9]{40,90}\b")
        .mixed()
        .doc("https://docs.xendit.co/docs/api-keys")
        .takes(&["xnd_production_{A60}", "XENDIT=xnd_development_{A60}"])
        .leaves(&["xnd_public_production_{A60}", "xnd_development_x"]),
    Rule::new("midtrans-key", "Midtrans server keys", &["Mid-server-"], r"Mid-server-[A-Za-z0-9_-]{10,30}\b{end-half}")
        .doc("https://docs.midtrans.com/docs/midtrans-account")
        .takes(&["Mid-server-{A24}", "SB-Mid-server-{A24}"])
        .leaves(&["Mid-client-{A16}", "Mid-server-..."]),
    Rule::new("mercadopago-token", "Mercado Pago access tokens", &["APP_USR-", "TEST-"], r"(?:APP_USR|TEST)-\d{12,20}-\d{6}-[a-z0-9_]{32,40}-\d{6,12}\b")
        .doc("https://www.mercadopago.com/developers/en/docs/your-integrations/credentials")
        .takes(&["APP_USR-{d16}-010203-{x32}-{d9}", "TEST-{d16}-010203-{x32}-{d9}"])
        .leaves(&["APP_USR-{uuid}", "TEST-1234"]),
    Rule::new("asaas-key", "Asaas API keys", &["$aact_"], r"\$aact_(?:prod_|hmlg_|)[A-Za-z0-9_=:-]{20,200}")
        .doc("https://docs.asaas.com/docs/authentication-2")
        .takes(&["$aact_prod_{A90}", "access: $aact_hmlg_{A120}"])
        .leaves(&["$aact_prod_", "$aact_id"]),
    Rule::new("woocommerce-key", "WooCommerce consumer keys and secrets", &["ck_", "cs_"], r"c[ks]_[A-Fa-f0-9]{40}\b")
        .doc("https://woocommerce.github.io/woocommerce-rest-api-docs/")
        .takes(&["ck_{x40}", "consumer cs_{x40}"])
        .leaves(&["ck_assert", "cs_{x20}"]),
    Rule::new("ebay-secret", "eBay client secrets", &["PRD-", "SBX-"], r"(?:PRD|SBX)-[A-Fa-f0-9]{12}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}\b")
        .doc("https://developer.ebay.com/api-docs/static/oauth-credentials.html")
        .takes(&["PRD-{x12}-{x4}-{x4}-{x4}-{x4}", "SBX-{x12}-{x4}-{x4}-{x4}-{x4}"])
        .leaves(&["PRD-123", "acme-shop-PRD-{x8}-{x8}"]),
    Rule::beside("etsy-key", "Etsy keys", &["etsy"], r"[a-z0-9]{24}(?::[a-z0-9]{10,64})?")
        .entropy(3.2)
        .doc("https://developers.etsy.com/documentation/essentials/authentication/")
        .takes(&["etsy key {a24}", "etsy keystring secret {a24}:{a10}"])
        .leaves(&["etsy listing id {a24}", "etsy shop {a24}"]),
    Rule::beside("squarespace-key", "Squarespace API keys", &["squarespace"], UUID)
        .doc("https://developers.squarespace.com/commerce-apis/authentication-and-permissions")
        .takes(&["squarespace key {uuid}", "SQUARESPACE={uuid}"])
        .leaves(&["squarespace site id {uuid}", "squarespace page {uuid}"]),
    Rule::new("duffel-token", "Duffel tokens", &["duffel_"], r"duffel_(?:test|live)_[A-Za-z0-9_-]{4}[A-Za-z0-9_=-]{39}")
        .doc("https://duffel.com/docs/api/overview/making-requests")
        .takes(&["duffel_test_{A43}", "Bearer duffel_live_{A43}"])
        .leaves(&["duffel_test_", "duffel_bag"]),
    Rule::new("easypost-key", "EasyPost keys", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}\b")
        .doc("https://docs.easypost.com/docs/authentication")
        .takes(&["EZAK{A54}", "EASYPOST=EZTK{A54}"])
        .leaves(&["EZAK", "EZTK{A20}"]),
    Rule::new("shippo-token", "Shippo API tokens", &["shippo_"], r"shippo_(?:live|test)_[A-Fa-f0-9]{40}\b")
        .doc("https://docs.goshippo.com/docs/guides_general/authentication/")
        .takes(&["shippo_live_{x40}", "ShippoToken shippo_test_{x40}"])
        .leaves(&["shippo_live_", "shippo_order"]),
    Rule::beside("coinbase-key", "Coinbase keys", &["coinbase"], r"[A-Za-z0-9_-]{64}")
        .entropy(3.5)
        .doc("https://docs.cdp.coinbase.com/get-started/docs/cdp-api-keys")
        .takes(&["coinbase secret {A64}", "COINBASE={A64}"])
        .leaves(&["coinbase transaction hash {x64}", "coinbase 0x{x64}"]),
    Rule::beside("exchange-key", "Keys of exchanges: Binance, Bybit, Kraken, KuCoin, Bitfinex, Bittrex", &["binance", "bybit", "kraken", "kucoin", "bitfinex", "bittrex", "bitmex"], r"(?:[A-Za-z0-9]{64}|[A-Za-z0-9_-]{16}[A-Za-z0-9+/=_-]{64,74}|[A-Za-z0-9]{32}|[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")
        .doc("https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security")
        .takes(&["binance secret {A64}", "kucoin key {x24}", "kraken private key {A20}+{A65}=="])
        .leaves(&["binance txhash {x64}", "kraken order id {uuid}"]),
    Rule::beside("chain-api-key", "Keys of nodes and explorers: Infura, Alchemy, Etherscan, QuickNode, Moralis", &["infura", "alchemy", "etherscan", "bscscan", "polygonscan", "quicknode", "moralis"], r"(?:[A-Za-z0-9_-]{32}|[A-Z0-9]{34}|[0-9a-f]{40}|[A-Za-z0-9]{64})")
        .entropy(3.2)
        .doc("https://docs.metamask.io/developer-tools/dashboard/get-started/create-api/")
        .takes(&["alchemy key {A32}", "etherscan api key {U34}"])
        .leaves(&["etherscan block hash {x64}", "https://etherscan.io/address/0x{x40}"]),
    Rule::new("infura-url-key", "Infura, Alchemy and Ankr keys in URLs", &[".infura.io/", ".alchemy.com/v2/", "rpc.ankr.com/"], r"(?:\.infura\.io/(?:ws/)?v3|\.alchemy\.com/v2|rpc\.ankr\.com/[a-z0-9_]{2,30})/([A-Za-z0-9_-]{32,64})\b{end-half}")
        .glued()
        .mixed()
        .doc("https://docs.metamask.io/services/get-started/endpoints/")
        .takes(&["https://mainnet.infura.io/v3/{x32}", "wss://eth-mainnet.g.alchemy.com/v2/{A32}"])
        .leaves(&["https://mainnet.infura.io/v3/YOUR-API-KEY", "https://eth-mainnet.g.alchemy.com/v2/your-api-key"]),
];
