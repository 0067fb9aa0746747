import { thesesOfPerson } from '#areas/people/people/outlets.contract.ts'
import { thesesOfDepartment } from '#areas/study/catalogue/outlets.contract.ts'
import { area } from '#kit/contract/index.ts'
import { screen } from '#kit/contract/screen.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { thesisPapers } from './paper/paper.contract.ts'
import { repositoryCalls } from './repository/repository.contract.ts'
import { externalExaminer, thesisRule } from './rules/rule.contract.ts'
import { subjectCalls, thesisSubject } from './subjects/subject.contract.ts'
import { thesisErrors } from './thesis/errors.contract.ts'
import { thesisFlow, thesisSteps, thesisStepsByBody } from './thesis/flow.contract.ts'
import { thesis } from './thesis/thesis.contract.ts'
import { thesisCalls } from './thesis/whole.contract.ts'

const people = { audience: [1, 2, 3] as const, mail: 'digest' as const }
/** Theses: from the subject to the degree, the manuscript, and the repository that others harvest. */
export const thesesArea = area({
  name: 'theses',
  label: ['Theses', 'الرسائل العلمية'],
  fills: [thesesOfPerson, thesesOfDepartment],
  resources: [externalExaminer, thesisRule, thesisSubject, thesis],
  calls: [thesisCalls, thesisStepsByBody, listedCalls(thesisFlow as never, thesisSteps), subjectCalls, repositoryCalls],
  screens: [
    screen('/my_theses', {
      permission: ['access_thesis', 'wish_thesis'],
      title: ['My theses', 'رسائلي'],
      menu: { group: 'research', order: 11, icon: 'notebook', subject: 'theses' },
    }),
    screen('/repository', {
      permission: 'public',
      layout: 'full',
      title: ['Repository of theses', 'مستودع الرسائل'],
      light: ['/repository'],
    }),
    screen('/repository/:handle', {
      permission: 'public',
      layout: 'full',
      title: ['A thesis of the repository', 'رسالة من المستودع'],
      light: ['/repository/{handle}'],
    }),
  ],
  papers: [thesisPapers],
  noticeGroup: 'requests',
  notices: {
    notice_moved: { title: ['A thesis of mine goes on', 'تغيّر حالة رسالة تخصني'], ...people, app: 'always' },
    notice_waits: { title: ['A thesis waits for me', 'رسالة تنتظر قراري'], ...people, app: 'on' },
    notice_due: {
      title: ['A day of a thesis comes near', 'اقتراب موعد في رسالة'],
      ...people,
      app: 'always',
      mail: 'now',
    },
    notice_late: {
      title: ['A day of a thesis has passed', 'فوات موعد في رسالة'],
      ...people,
      app: 'always',
      mail: 'now',
    },
    notice_discussion: {
      title: ['A discussion is scheduled', 'تحديد موعد مناقشة'],
      ...people,
      app: 'always',
      mail: 'now',
    },
    notice_discussion_moved: {
      title: ['A discussion is moved', 'تغيير موعد مناقشة'],
      ...people,
      app: 'always',
      mail: 'now',
    },
    notice_discussion_off: {
      title: ['A discussion is called off', 'إلغاء موعد مناقشة'],
      ...people,
      app: 'always',
      mail: 'now',
    },
    notice_remark: { title: ['A comment on a manuscript', 'تعليق على مخطوط رسالة'], ...people, app: 'on' },
    notice_subject: {
      title: ['I am given a subject', 'إسناد موضوع رسالة إليّ'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  errors: thesisErrors,
})
