import { type RouteName, routeNamed } from './routes';

/** The commands that call a route. A route without an entry is called by `plat api`. */
export const ROUTE_COMMANDS: Partial<Record<RouteName, readonly string[]>> = {
  listReviews: ['review list'],
  createReview: ['review create'],
  listMergeQueue: ['review queue list'],
  getMergeQueueStatus: ['review queue show'],
  getMergeQueueStatistics: ['review queue stats'],
  advanceMergeQueue: ['review queue advance', 'drive'],
  overrideAdvanceMergeQueue: ['review queue override-advance'],
  getReview: ['review show'],
  getReviewHistory: ['review why'],
  updateReviewStatus: ['review close', 'review requeue', 'review report-merged', 'drive'],
  getMergeReceipt: ['review verify', 'review attest'],
  getMergeAttestation: ['review attest'],
  listMergeReceiptKeys: ['review verify', 'review attest'],
  listReviewers: ['review reviewers list'],
  addReviewer: ['review reviewers add'],
  removeReviewer: ['review reviewers remove'],
  listComments: ['review comments'],
  createComment: ['review comment'],
  updateCommentStatus: ['review resolve'],
  listGateRuns: ['gate list'],
  createGateRun: ['exec gate-run start', 'drive'],
  getGateRun: ['gate show'],
  updateGateRun: ['exec gate-run report', 'drive'],
  listReviewBuilds: ['review builds'],
  createReviewBuild: ['review record-build', 'drive'],
  createBuild: ['build'],
  listAuditEvents: ['audit list'],
  whoami: ['cloud login'],
  listEnvironments: ['list'],
  createEnvironment: ['init'],
  getEnvironment: ['init'],
  deleteEnvironment: ['delete'],
  putHostname: ['expose'],
  deleteHostname: ['unexpose'],
  listUsers: ['admin user list'],
  createUser: ['admin user add'],
  updateUserStatus: ['admin user disable', 'admin user enable'],
  listUserRoles: ['admin user roles'],
  grantRole: ['admin user roles'],
  revokeRole: ['admin user roles'],
  listRoles: ['admin user roles'],
  getRole: ['admin role show'],
  setUserSubject: ['admin user subject'],
  getAuditLogCheckpoint: ['audit export', 'audit verify'],
  listAuditLogKeys: ['audit export', 'review verify'],
  listAuditLogEntries: ['audit export'],
  getAuditLogTile: ['ledger check'],
  getAuditLogConsistencyProof: ['audit verify'],
};

/** The command lines of the client that call a route, each from `plat` on. */
export function commandsOf(name: RouteName): string[] {
  const { method, template } = routeNamed(name);
  return (ROUTE_COMMANDS[name] ?? [`api ${method} ${template}`]).map((command) => `plat ${command}`);
}
