/**
 * Keeps the application itself on the device: the page, its scripts and fonts. It knows nothing of anybody: answers of the
 * API do not pass through it (`kit/web/offline` keeps some of those).
 */
import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { clientsClaim } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, PrecacheFallbackPlugin, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkOnly } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope
/** Written in by the build: what every screen begins with, and the script by which a page tells its version. */
declare const SHELL: { readonly files: { url: string; revision: string | null }[]; readonly script: string }

/** A line that does not answer is none: the page stands there anyway, and says so. */
const PATIENCE_SECONDS = 3
/** Files with a digest in their name never change: what was used is there. What is used least makes room. */
const MOST_FILES = 500

cleanupOutdatedCaches()
// The page itself is asked of the server each time: see below.
precacheAndRoute(SHELL.files, { directoryIndex: '' })

const files = new CacheFirst({
  cacheName: 'ems-files',
  plugins: [new CacheableResponsePlugin({ statuses: [200] }), new ExpirationPlugin({ maxEntries: MOST_FILES })],
})
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), files)

// The page comes from the server, whose version is the newest; where there is no line, from here. Files and the API never do.
registerRoute(
  new NavigationRoute(
    new NetworkOnly({
      networkTimeoutSeconds: PATIENCE_SECONDS,
      plugins: [
        // A door in front of the server that finds nobody behind it is no line either.
        { fetchDidSucceed: async ({ response }) => (response.status > 501 ? Promise.reject(new Error()) : response) },
        new PrecacheFallbackPlugin({ fallbackURL: '/index.html' }),
      ],
    }),
    { denylist: [/^\/(?:api|assets|icons|metrics)(?:\/|$)/, /\.[a-z][a-z0-9]{0,15}$/i] },
  ),
)

// The first page is served from here on as well. A new version waits until somebody wants it.
clientsClaim()
self.addEventListener('message', (event) => {
  const { what, files: wanted } = event.data as { what?: string; files?: readonly string[] }
  if (what === 'script') event.ports[0]?.postMessage(SHELL.script)
  if (what === 'begin') void self.skipWaiting()
  if (what === 'keep' && Array.isArray(wanted))
    event.waitUntil(
      Promise.allSettled(
        wanted
          .filter((file) => file.startsWith('/assets/'))
          .map((file) => files.handle({ event, request: new Request(file) })),
      ),
    )
})
