import { projectsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { projectsOfThesis } from '#areas/research/theses/outlets.contract.ts'
import { projectsOfDepartment } from '#areas/study/catalogue/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'projects',
  resources: {
    project: () => import('./project/project.web.tsx'),
  },
  fills: [
    fill(projectsOfThesis, async () => (await import('./project/theses.web.tsx')).ProjectsOfThesis),
    fill(projectsOfPerson, async () => (await import('./project/of-others.web.tsx')).ProjectsOfPerson),
    fill(projectsOfDepartment, async () => (await import('./project/of-others.web.tsx')).ProjectsOfDepartment),
  ],
})
