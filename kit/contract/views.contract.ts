import { z } from 'zod'
import { call } from './call.ts'
import { idParam } from './schema.ts'

/** Columns of a table as somebody chose them. */
const prefs = z.strictObject({
  order: z.array(z.string().max(60)).max(60).optional(),
  hidden: z.array(z.string().max(60)).max(60).optional(),
  shown: z.array(z.string().max(60)).max(60).optional(),
  sizes: z.record(z.string().max(60), z.number().min(0).max(2000)).optional(),
})
/** A view of a list that somebody keeps: what is searched, filtered and sorted, and the columns. */
export const savedView = z.object({ id: z.int(), name: z.string(), query: z.string(), prefs: prefs.nullable() })

/** Most views that somebody keeps of one list. */
export const MOST_VIEWS = 30

const list = z.string().min(1).max(100)
// Bookkeeping of the reader's own, like read notifications: possible in read-only mode too.
export const viewCalls = {
  listViews: call('GET', '/views/{list}', {
    permission: 'signed_in',
    summary: ['List own views of a list', 'عرض طرق العرض التي حفظتها لقائمة'],
    params: z.object({ list }),
    response: z.object({ data: z.array(savedView) }),
    // With every list that is opened.
    traced: false,
  }),
  saveView: call('PUT', '/views/{list}', {
    permission: 'signed_in',
    summary: [
      'Keep a view of a list; one of the same name is replaced',
      'حفظ طريقة عرض لقائمة، وتحل محل ما يحمل اسمها',
    ],
    params: z.object({ list }),
    body: z.strictObject({
      name: z.string().trim().min(1).max(40),
      query: z.string().max(4000),
      prefs: prefs.nullish(),
    }),
    response: z.object({ data: savedView }),
    reads: true,
  }),
  removeView: call('DELETE', '/views/{list}/{id}', {
    permission: 'signed_in',
    summary: ['Remove an own view', 'حذف طريقة عرض محفوظة'],
    params: z.object({ list, id: idParam }),
    response: z.object({ removed: z.boolean() }),
    reads: true,
  }),
}
