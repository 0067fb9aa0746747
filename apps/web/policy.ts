import { setStyleNonce } from '#kit/web/theme/nonce.ts'

/**
 * What the page's own policy asks of the libraries; imported before all else. Zod would try to compile code and be
 * refused; styles that are written into the page show the nonce it was served with.
 */
const page = globalThis as { __zod_globalConfig?: object; __webpack_nonce__?: string }
page.__zod_globalConfig = { ...page.__zod_globalConfig, jitless: true }
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
// The name under which libraries that lock the page's scrolling look for it.
if (nonce) page.__webpack_nonce__ = nonce
setStyleNonce(nonce ?? '')
