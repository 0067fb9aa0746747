import type { Label } from '#kit/contract/index.ts'
import { useLabel } from '#kit/web/i18n/index.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { Navigate, to, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import applicantWeb from '../applicant/applicant.web.tsx'
import { APPLICANT_LISTS, type ApplicantListKey } from './lists.contract.ts'

function Listed({ of }: { of: ApplicantListKey }) {
  const say = useLabel()
  const { title, fixed }: { title: Label; fixed: Readonly<Record<string, readonly unknown[]>> } = APPLICANT_LISTS[of]
  return (
    <Page title={say(title)}>
      <ResourceList web={applicantWeb} page={false} fixed={fixed} />
    </Page>
  )
}

export const PostgraduateApplicants = () => <Listed of="/applicants_pg" />
export const AcceptedApplicants = () => <Listed of="/accepted_applicants" />
export const AcceptedPostgraduates = () => <Listed of="/accepted_applicants_pg" />
export const TransferApplicants = () => <Listed of="/admission/transfer_students" />
export const PaidTransfers = () => <Listed of="/transfered_student_paid" />

/** The record of an accepted applicant is that of the applicant. */
export const AcceptedApplicant = () => <Navigate to={to('/applicants/:id', { id: Number(useParams().id) })} replace />
/** Without an applicant there is nothing to edit: the list is where one is chosen. */
export const EditWithoutApplicant = () => <Navigate to={to('/applicants')} replace />
