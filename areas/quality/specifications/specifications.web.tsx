import { specificationOfCourse, specificationOfProgram } from '#areas/study/catalogue/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'specifications',
  screens: {
    '/specifications_standing': () => import('./spec/standing.web.tsx'),
    '/question_marks': () => import('./questions/list.web.tsx'),
    '/question_marks/:id': () => import('./questions/show.web.tsx'),
  },
  resources: {
    qualityFinding: () => import('./attainment/finding.web.tsx'),
    specification: () => import('./spec/specification.web.tsx'),
  },
  fills: [
    fill(specificationOfCourse, async () => (await import('./spec/panel.web.tsx')).SpecificationOfCourse),
    fill(specificationOfProgram, async () => (await import('./spec/panel.web.tsx')).SpecificationOfProgram),
  ],
})
