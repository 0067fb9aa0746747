/** Places on the pages of theses that later areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** Beneath the team: the research projects in which a thesis is written. */
export const projectsOfThesis = outlet<{ readonly id: number }>('thesis.projects')
