import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserOnly, noCycles, precompress, screensPlugin } from './apps/build/plugins.ts'

/** The texts of one area in one language are a chunk of their own; its name says which. */
const chunkName = (chunk: { name: string; facadeModuleId?: string | null }): string => {
  const catalogue = /locales\/(\w+)\/([\w-]+)\.json$/.exec(chunk.facadeModuleId ?? '')
  if (catalogue) return `assets/text-${catalogue[2]}-${catalogue[1]}-[hash].js`
  // Shared chunks are named after all that use them: the first word is enough.
  return `assets/${shortName(chunk.name)}-[hash].js`
}
const shortName = (name: string): string =>
  name
    .split('~', 1)[0]!
    .replace(/^_?virtual[_:]/, '')
    .replace(/\.web$/, '')

/** The library of charts and what only it uses: so large that small parts must not be merged with it. */
const CHARTS =
  '(?:recharts|@mantine[\\\\/]charts|@reduxjs|redux|redux-thunk|react-redux|reselect|immer|es-toolkit|victory-vendor|d3-[a-z-]+|internmap|decimal\\.js-light|eventemitter3|tiny-invariant)[\\\\/]'

export default defineConfig({
  root: 'apps/web',
  plugins: [browserOnly(), screensPlugin(), react(), noCycles(), precompress()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
    rolldownOptions: {
      // Definitions only define: what a screen does not name of them is not loaded with it.
      treeshake: { moduleSideEffects: [{ test: /kit[\\/]contract[\\/]|\.contract\.ts$/, sideEffects: false }] },
      output: {
        chunkFileNames: chunkName,
        assetFileNames: (asset) =>
          `assets/${shortName((asset.names[0] ?? 'asset').replace(/\.\w+$/, ''))}-[hash][extname]`,
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules[\\/]/, tags: ['$initial'], priority: 30 },
            // What screens share, by who uses it: a screen loads only what it needs, not one request per module.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]/, priority: 20 },
            // An icon never draws in a control that some other screen happens to use with it.
            {
              name: 'icons',
              test: /node_modules[\\/]@tabler[\\/]/,
              entriesAware: true,
              entriesAwareMergeThreshold: 6_000,
              priority: 11,
            },
            {
              name: 'parts',
              test: new RegExp(`node_modules[\\\\/](?!${CHARTS})`),
              entriesAware: true,
              entriesAwareMergeThreshold: 24_000,
              priority: 10,
            },
            { name: 'charts', test: new RegExp(`node_modules[\\\\/]${CHARTS}`), priority: 9 },
            // The kit's own modules are not merged by size: merged chunks would need each other before they are ready.
            { name: 'shell', test: /kit[\\/](web|contract)[\\/]/, tags: ['$initial'], priority: 7 },
            // What every screen may use is there from the beginning, or it would draw in whatever else shares it.
            {
              name: 'shell',
              test: /kit[\\/]web[\\/](api|auth|feedback|i18n|router|theme)[\\/]|kit[\\/]web[\\/]shell[\\/]page/,
              priority: 6,
            },
            {
              name: 'contract',
              test: /kit[\\/]contract[\\/](call|field|resource|schema)\.ts|access[\\/]crud\./,
              minShareCount: 3,
              priority: 5,
            },
            // What only shows values, then what takes them in: a list needs the first alone.
            {
              name: 'cells',
              test: /kit[\\/]web[\\/]fields[\\/](calls-of|cells|fields\.module|filter-words|resource-web|rich)\./,
              minShareCount: 3,
              priority: 5,
            },
            { name: 'inputs', test: /kit[\\/]web[\\/]fields[\\/]/, minShareCount: 3, priority: 4 },
            { name: 'lists', test: /kit[\\/]web[\\/]list[\\/]/, minShareCount: 3, priority: 4 },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: ['../..'] },
  },
})
