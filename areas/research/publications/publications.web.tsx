import { publicationsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { publicationsOfDepartment } from '#areas/study/catalogue/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'
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
  fills: [
    fill(publicationsOfPerson, async () => (await import('./works/of-others.web.tsx')).PublicationsOfPerson),
    fill(publicationsOfDepartment, async () => (await import('./works/of-others.web.tsx')).PublicationsOfDepartment),
  ],
})
