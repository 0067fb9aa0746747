/** What later areas put on the public page of a researcher. */
import type { Db } from '#db/connect.ts'
import { asks } from '#kit/server/base/hears.ts'
import type { ShownProject, ShownSupervised } from './researcher.contract.ts'

/** Theses with which a degree was granted, supervised by the person of an account. */
export const thesesOfResearcher = asks<[db: Db, user_id: number], readonly ShownSupervised[]>(
  'researcher.theses',
  () => [],
)
/** Research projects that run or are finished, in which the person of an account works. */
export const projectsOfResearcher = asks<[db: Db, user_id: number], readonly ShownProject[]>(
  'researcher.projects',
  () => [],
)
