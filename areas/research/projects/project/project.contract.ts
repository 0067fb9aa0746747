import { crud } from '#access/crud.contract.ts'
import { call, date, f, id, idParam, problem, ref, resource, safeText } from '#kit/contract/index.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { checkProjectApproved, checkFinished, type ProjectFacts } from './project.rules.ts'

const told = { notice: 'projects.notice_moved' } as const
/** Proposed by a researcher, approved, run, finished. */
export const projectFlow = workflow<ProjectFacts>()({
  name: 'project',
  one: ['Research project', 'مشروع بحثي'],
  field: 'status',
  states: [
    { value: 'proposed', label: ['Proposed', 'مقترحة'], tone: 'waiting' },
    { value: 'running', label: ['Running', 'سارية'], tone: 'active' },
    { value: 'finished', label: ['Finished', 'منتهية'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
  ],
  actions: {
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve a research project, so that it runs', 'اعتماد مشروع بحثي لبدء تنفيذه'],
      call: ['PUT', '/projects/approve/{id}'],
      permission: 'approve_project',
      from: { proposed: 'running' },
      needs: checkProjectApproved,
      consequence: ['Money can be spent from its budget.', 'يمكن الصرف من ميزانيته بعد ذلك.'],
      ...told,
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject a research project', 'رفض مشروع بحثي'],
      call: ['PUT', '/projects/reject/{id}'],
      permission: 'approve_project',
      from: { proposed: 'rejected' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    propose: {
      label: ['Propose again', 'إعادة الاقتراح'],
      summary: ['Propose a rejected research project again', 'إعادة اقتراح مشروع بحثي مرفوض'],
      call: ['PUT', '/projects/propose/{id}'],
      permission: 'edit_project',
      from: { rejected: 'proposed' },
      byOwner: true,
    },
    finish: {
      label: ['Finish', 'إنهاء'],
      summary: ['Finish a research project', 'إنهاء مشروع بحثي'],
      call: ['PUT', '/projects/finish/{id}'],
      permission: 'edit_project',
      from: { running: 'finished' },
      byOwner: true,
      needs: checkFinished,
      consequence: ['Nothing more is spent from its budget.', 'لا يُصرف من ميزانيته بعد ذلك.'],
      ...told,
    },
    reopen: {
      label: ['Open again', 'إعادة فتح'],
      summary: ['Open a finished research project again', 'إعادة فتح مشروع بحثي منتهٍ'],
      call: ['PUT', '/projects/reopen/{id}'],
      permission: 'approve_project',
      from: { finished: 'running' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
  },
  bulk: '/projects/bulk/{action}',
  waits: 'kit.notice_waits',
  history: { path: '/projects/steps/{id}', permission: 'show_project' },
})
export const projectSteps = workflowCalls(projectFlow)

export const MEMBER_JOBS = [
  { value: 'leader', label: ['Leader', 'الباحث الرئيس'] },
  { value: 'co_leader', label: ['Co-leader', 'الباحث الرئيس المشارك'] },
  { value: 'researcher', label: ['Researcher', 'باحث'] },
  { value: 'student', label: ['Student', 'طالب'] },
  { value: 'technician', label: ['Technician', 'فني'] },
  { value: 'consultant', label: ['Consultant', 'استشاري'] },
] as const
export const PROJECT_DOCUMENT_KINDS = [
  { value: 'proposal', label: ['Proposal', 'المقترح'] },
  { value: 'contract', label: ['Contract', 'العقد'] },
  { value: 'progress_report', label: ['Progress report', 'تقرير متابعة'] },
  { value: 'final_report', label: ['Final report', 'التقرير النهائي'] },
  { value: 'other', label: ['Other', 'أخرى'] },
] as const

/** What is researched, by whom, until when and with what money. */
export const project = resource({
  name: 'project',
  path: '/projects',
  at: { list: '/projects/list', add: 'POST' },
  table: 'projects',
  one: ['Research project', 'مشروع بحثي'],
  many: ['Research projects', 'المشروعات البحثية'],
  adding: ['Propose a research project', 'اقتراح مشروع بحثي'],
  editing: ['Edit research project', 'تعديل مشروع بحثي'],
  permissions: { ...crud('project'), import: null },
  scope: ['faculty', 'department', 'own'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true }),
    name: f.text(['Name', 'الاسم'], { required: true, max: 300 }),
    name_local: f.localText(['Name in Arabic', 'الاسم بالعربية'], { required: true, max: 300 }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id' }),
    funder: f.text(['Funded by', 'جهة التمويل'], { max: 300 }),
    grant_number: f.text(['Grant number', 'رقم المنحة'], { max: 100, detailOnly: true }),
    currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES, { required: true, createOnly: true }),
    start_date: f.date(['From', 'من'], { required: true }),
    end_date: f.date(['Until', 'إلى'], { required: true }),
    status: f.choice(['State', 'الحالة'], projectFlow.states, { readOnly: true }),
    finished_on: f.date(['Finished on', 'تاريخ الانتهاء'], { readOnly: true, detailOnly: true }),
    summary: f.longText(['Summary in English', 'الملخص بالإنجليزية'], {
      detailOnly: true,
      noExport: true,
      paired: true,
    }),
    summary_local: f.longText(['Summary in Arabic', 'الملخص بالعربية'], {
      detailOnly: true,
      noExport: true,
      paired: true,
    }),
    members: f.rows(
      ['Members', 'الأعضاء'],
      {
        user_id: f.lookup(['Person of the university', 'شخص من الجامعة'], 'researcher'),
        name: f.text(['Name of anybody else', 'اسم شخص من خارجها'], { max: 200 }),
        job: f.choice(['Job', 'الصفة'], MEMBER_JOBS, { required: true }),
        from_date: f.date(['From', 'من']),
        until_date: f.date(['Until', 'إلى']),
      },
      { table: 'project_members', parent: 'project_id', position: 'position', max: 200, detailOnly: true },
    ),
    lines: f.rows(
      ['Budget', 'الميزانية'],
      {
        name: f.text(['For', 'البند'], { required: true, max: 200 }),
        amount: f.money(['Amount', 'المبلغ'], { required: true }),
      },
      { table: 'project_budget_lines', parent: 'project_id', position: 'position', max: 100, detailOnly: true },
    ),
    milestones: f.rows(
      ['Milestones', 'مراحل التنفيذ'],
      {
        name: f.text(['Milestone', 'المرحلة'], { required: true, max: 200 }),
        start_date: f.date(['From', 'من']),
        due_date: f.date(['Due', 'موعد التسليم'], { required: true }),
        done_on: f.date(['Done on', 'تاريخ الإنجاز']),
      },
      { table: 'project_milestones', parent: 'project_id', position: 'position', max: 200, detailOnly: true },
    ),
  },
  list: {
    columns: ['code', 'name', 'faculty_id', 'department_id', 'funder', 'start_date', 'end_date', 'status'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'start_date', 'end_date', 'status'],
    filters: ['status', 'faculty_id', 'department_id', 'start_date', 'end_date'],
    order: ['start_date', 'desc'],
  },
  exportName: 'Research projects',
  softDelete: true,
  screens: {
    list: '/my_researches/projects',
    show: '/my_researches/projects/show/:id',
    add: '/my_researches/projects/add',
    edit: '/my_researches/projects/edit/:id',
  },
  sections: [
    {
      title: ['Project', 'المشروع'],
      fields: ['code', 'name', 'name_local', 'faculty_id', 'department_id', 'start_date', 'end_date'],
    },
    { title: ['Money', 'التمويل'], fields: ['funder', 'grant_number', 'currency', 'lines'] },
    { title: ['Members', 'الأعضاء'], fields: ['members'] },
    { title: ['Milestones', 'مراحل التنفيذ'], fields: ['milestones'] },
    { title: ['Summary', 'الملخص'], fields: ['summary', 'summary_local'] },
  ],
  menu: { group: 'research', order: 20, icon: 'flask', subject: 'publications' },
})

const lineRow = z.object({ id, name: z.string(), amount: z.int(), spent: z.int() })
const spendingRow = z.object({
  id,
  line_id: id,
  spent_on: z.string(),
  amount: z.int(),
  what: z.string(),
  over_reason: z.string().nullable(),
  by: ref.nullable(),
  file: z.object({ name: z.string(), url: z.string() }).nullable(),
})
const documentRow = z.object({
  id,
  kind: z.string(),
  name: z.string(),
  url: z.string(),
  at: z.string(),
  by: ref.nullable(),
})
const parts = z.object({
  lines: z.array(lineRow),
  spendings: z.array(spendingRow),
  documents: z.array(documentRow),
  publications: z.array(
    z.object({ id, title: z.string(), title_local: z.string().nullable(), year: z.int().nullable() }),
  ),
  /** The reader may change it. */
  writes: z.boolean(),
  /** What stands against finishing it. */
  reasons: z.array(problem),
})
export type ProjectParts = z.output<typeof parts>
const answered = z.object({ data: rowSchema(project, 'detail') })
const done = z.object({ data: z.object({ id }) })
/** An amount in minor units; below zero it corrects. */
const minor = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
])

export const projectCalls = {
  mine: call('GET', '/projects/my-projects', {
    permission: 'access_project',
    summary: ['Research projects in which one works', 'المشروعات البحثية التي تعمل فيها'],
    response: z.object({
      data: z.array(
        z.object({
          id,
          code: z.string(),
          name: z.string(),
          name_local: z.string(),
          status: z.string(),
          start_date: z.string(),
          end_date: z.string(),
          job: z.string().nullable(),
        }),
      ),
    }),
  }),
  change: call('POST', '/projects/{id}', {
    permission: 'edit_project',
    summary: ['Change a research project', 'تعديل مشروع بحثي'],
    body: inputSchema(project, 'update'),
    response: answered,
    example: { funder: 'Science fund' },
  }),
  parts: call('GET', '/projects/parts/{id}', {
    permission: 'show_project',
    summary: ['Money, documents and publications of a research project', 'ميزانية مشروع بحثي ومستنداته ومنشوراته'],
    response: z.object({ data: parts }),
  }),
  spend: call('POST', '/projects/spendings/{id}', {
    permission: 'edit_project',
    summary: ['Write down money spent by a research project', 'تسجيل مصروف لمشروع بحثي'],
    upload: { field: 'file', accept: ['pdf', 'png', 'jpg'], called: 'PDF, JPG, PNG', maxMB: 10, optional: true },
    body: z.strictObject({
      line_id: z.union([id, idParam]),
      spent_on: date,
      amount: minor,
      what: safeText(300, 1),
      over_reason: safeText(500).optional(),
    }),
    response: done,
    example: { line_id: 1, spent_on: '2026-01-15', amount: 100, what: 'Paper' },
  }),
  addDocument: call('POST', '/projects/documents/{id}', {
    permission: 'edit_project',
    summary: ['Add a document or report to a research project', 'إضافة مستند أو تقرير إلى مشروع بحثي'],
    upload: {
      field: 'file',
      accept: ['pdf', 'docx', 'xlsx', 'png', 'jpg'],
      called: 'PDF, Word, Excel, JPG, PNG',
      maxMB: 30,
    },
    body: z.strictObject({
      kind: z.enum(PROJECT_DOCUMENT_KINDS.map((one) => one.value)),
      name: safeText(200, 1),
    }),
    response: done,
  }),
  removeDocument: call('DELETE', '/projects/documents/{id}', {
    permission: 'edit_project',
    summary: ['Take a document off a research project', 'حذف مستند من مشروع بحثي'],
    response: done,
  }),
  link: call('PUT', '/projects/publications/{id}', {
    permission: 'edit_project',
    summary: ['Say which publications came of a research project', 'تحديد المنشورات الناتجة عن مشروع بحثي'],
    body: z.strictObject({ publication_ids: z.array(id).max(500) }),
    response: done,
    example: { publication_ids: [] },
  }),
}
