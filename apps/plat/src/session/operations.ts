import type { BuildKind, ReviewStatus } from '@plat/contracts/core';
import type { AxiosInstance } from 'axios';
import { callRoute } from './api';

export interface Review {
  reviewId: string;
  name: string;
  repository?: string;
  sourceBranch: string;
  targetBranch: string;
  status: ReviewStatus;
  issueRef?: string;
  authorUserId: string;
  lastFailedBuildId?: string;
  lastReadyBuildId?: string;
  lastMergedBuildId?: string;
  createdAt: string;
  updatedAt: string;
}
export interface Build {
  buildId: string;
  kind: BuildKind;
  successful: boolean;
  commitId: string;
  version?: string;
  failureDetail?: string;
}
export interface PlatformDescription {
  issuer: string;
  apiUrl: string;
  cliClientId: string;
}
export interface Whoami {
  tenantId: string;
  userId: string;
  username: string;
  roles: string[];
  issuer: string;
  subject: string;
}
type Query = Readonly<Record<string, string | undefined>>;
type Body = Readonly<Record<string, unknown>>;

export const getPlatform = (http: AxiosInstance) => callRoute<PlatformDescription>(http, 'getPlatform');
export const whoami = (http: AxiosInstance) => callRoute<Whoami>(http, 'whoami');
export const listReviews = (http: AxiosInstance, query: Query) =>
  callRoute<Review[]>(http, 'listReviews', { query });
export const createReview = (http: AxiosInstance, body: Body) =>
  callRoute<Review>(http, 'createReview', { body });
export const getReview = (http: AxiosInstance, reviewId: string) =>
  callRoute<Review>(http, 'getReview', { path: { review_id: reviewId } });
export const updateReviewStatus = (http: AxiosInstance, reviewId: string, body: Body) =>
  callRoute<Review>(http, 'updateReviewStatus', { path: { review_id: reviewId }, body });
export const listMergeQueue = (http: AxiosInstance, query: Query) =>
  callRoute<Review[]>(http, 'listMergeQueue', { query });
export const advanceMergeQueue = (http: AxiosInstance, body: Body) =>
  callRoute<Review>(http, 'advanceMergeQueue', { body });
export const overrideAdvanceMergeQueue = (http: AxiosInstance, body: Body) =>
  callRoute<Review>(http, 'overrideAdvanceMergeQueue', { body });
export const createReviewBuild = (http: AxiosInstance, reviewId: string, body: Body) =>
  callRoute<Build>(http, 'createReviewBuild', { path: { review_id: reviewId }, body });
