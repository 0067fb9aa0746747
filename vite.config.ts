import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noteBuilt } from './apps/build/built.ts'
import { lightPages } from './apps/build/light.ts'
import { serviceWorker } from './apps/build/service-worker.ts'
import { browserOnly, noCycles, precompress, recordZod, screensPlugin, shortName } from './apps/build/plugins.ts'

/** The texts of one area in one language are a chunk of their own; its name says which. */
const chunkName = (chunk: { name: string; facadeModuleId?: string | null }): string => {
  const catalogue = /locales\/(\w+)\/([\w-]+)\.json$/.exec(chunk.facadeModuleId ?? '')
  if (catalogue) return `assets/text-${catalogue[2]}-${catalogue[1]}-[hash].js`
  return `assets/${shortName(chunk.name)}-[hash].js`
}

export default defineConfig({
  root: 'apps/web',
  plugins: [
    browserOnly(),
    recordZod(),
    screensPlugin(),
    react(),
    noCycles(),
    serviceWorker(),
    lightPages(),
    precompress(),
    noteBuilt(import.meta.dirname),
  ],
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
            // Comes by itself once the first screen stands.
            { name: 'heavier', test: /kit[\\/]web[\\/]theme[\\/]heavier|@fontsource[\\/].*woff2/, priority: 31 },
            { name: 'base', test: /node_modules[\\/]/, tags: ['$initial'], priority: 30 },
            // Every screen asks the server for something.
            { name: 'base', test: /node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/]/, priority: 29 },
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
            // Light, and on a first screen: not merged with a heavy control that others use.
            { name: 'switch', test: /[\\/]components[\\/]Switch[\\/]/, priority: 10.5 },
            { name: 'skeleton', test: /[\\/]components[\\/]Skeleton[\\/]/, priority: 10.5 },
            // What floats over a screen comes with the first menu, panel or choice, all of it together.
            {
              name: 'floats',
              test: /@floating-ui[\\/]|@mantine[\\/]core[\\/].*[\\/](Popover|Menu|Tooltip|Transition|Portal|FocusTrap|Floating|Input|CloseButton|use-resolved-styles-api)[\\/]|@mantine[\\/]hooks[\\/].*[\\/](use-(focus|long-press|click-outside|id|uncontrolled)|utils)/,
              priority: 12,
            },
            {
              name: 'parts',
              test: /node_modules[\\/]/,
              entriesAware: true,
              entriesAwareMergeThreshold: 10_000,
              priority: 10,
            },
            // The kit's own modules are not merged by size: merged chunks would need each other before they are ready.
            { name: 'shell', test: /kit[\\/](web|contract)[\\/]/, tags: ['$initial'], priority: 7 },
            // What every screen may use is there from the beginning, or it would draw in whatever else shares it; but no dialogs and forms.
            {
              name: 'shell',
              test: /kit[\\/]web[\\/](api|auth|feedback|i18n|router|theme)[\\/](?!.*(dialog|actions|end-sessions|submit|weight|first-steps))|kit[\\/]web[\\/]shell[\\/]page/,
              priority: 6,
            },
            {
              name: 'contract',
              test: /kit[\\/]contract[\\/](call|field|resource|schema)\.ts|kit[\\/]web[\\/]zod[\\/]recorded|access[\\/]crud\./,
              minShareCount: 3,
              priority: 5,
            },
            // The rest of it by who uses it: a list keeps views, and needs no papers and notices for that.
            {
              name: 'calls',
              test: /kit[\\/]contract[\\/]/,
              entriesAware: true,
              entriesAwareMergeThreshold: 2_000,
              priority: 4.5,
            },
            // What only shows values, then what takes them in: a list needs the first alone.
            {
              name: 'cells',
              test: /kit[\\/]web[\\/]fields[\\/](calls-of|cells|fields\.module|filter-words|resource-web|rich)\./,
              minShareCount: 3,
              priority: 5,
            },
            { name: 'inputs', test: /kit[\\/]web[\\/]fields[\\/][\w-]+\.(tsx|css)$/, minShareCount: 3, priority: 4 },
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
