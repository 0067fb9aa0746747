import { defineAreaWeb } from '#kit/web/router/index.ts'
import light from './admission-payments.light.web.tsx'

export default defineAreaWeb({
  area: 'admission-payments',
  screens: {
    '/admission-payments': () => import('./desk/list.web.tsx'),
    '/admission-payments/:id': () => import('./desk/detail.web.tsx'),
    ...light.screens,
  },
  fills: light.fills,
})
