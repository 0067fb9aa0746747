import { WeekOf } from './week.web.tsx'

/** The week of an instructor, on the page of the person. */
export const WeekOfInstructor = ({ row }: { row: { readonly id: number } }) => <WeekOf type="instructor" id={row.id} />
