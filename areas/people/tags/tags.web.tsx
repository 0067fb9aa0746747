import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'tags',
  resources: { tag: () => import('./tag.web.tsx') },
})
