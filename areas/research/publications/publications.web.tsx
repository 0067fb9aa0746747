import { defineAreaWeb } from '#kit/web/router/index.ts'
import light from './publications.light.web.tsx'

export default defineAreaWeb({
  area: 'publications',
  resources: {
    publication: () => import('./works/publication.web.tsx'),
    rankedJournal: () => import('./journals/journal.web.tsx'),
  },
  screens: {
    ...light.screens,
    '/my_researches/publications/import': () => import('./references/import.web.tsx'),
    '/my_researches/publications/doubles': () => import('./doubles/doubles.web.tsx'),
    '/my_researches/publications/counts': () => import('./researcher/counts.web.tsx'),
    '/my_researches/page': () => import('./researcher/profile.web.tsx'),
  },
})
