import { followIds, insertRows } from '#db/bulk.ts'
import { NAMED, demoPart, pick } from '#demo/part.ts'

export default demoPart(['years', 'terms', 'current_terms'], [], async (tx, demo) => {
  await insertRows(tx, 'years', demo.years)
  await insertRows(
    tx,
    'terms',
    demo.terms.map((t) => ({ ...pick(t, ...NAMED, 'year_id', 'start_date', 'end_date'), term_type: t.type })),
  )
  await insertRows(
    tx,
    'current_terms',
    Object.entries(demo.current_terms).map(([key, term_id]) => ({ key, term_id })),
  )
  await followIds(tx, 'years', 'terms')
})
