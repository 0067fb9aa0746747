import { AdviseeList } from './advised.web.tsx'

/** Students of the part of the university one answers for, those who wait for an answer first. */
export default function Advising() {
  return <AdviseeList title={['Advising', 'الإرشاد الأكاديمي']} order={['waiting', 'desc']} name="advising" />
}
