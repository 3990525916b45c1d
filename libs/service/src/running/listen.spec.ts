import 'reflect-metadata';
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { listenAt } from './listen';

/** The addresses of localhost, as Fastify finds them. */
const TWO: LookupAddress[] = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
type FoundAll = (error: null, found: LookupAddress[]) => void;

@Module({})
class EmptyModule {}

describe('a service', () => {
  let application: NestFastifyApplication;
  beforeEach(async () => {
    const options = { logger: false } as const;
    application = await NestFactory.create<NestFastifyApplication>(
      EmptyModule,
      new FastifyAdapter(),
      options,
    );
    const { lookup } = dns;
    jest.spyOn(dns, 'lookup').mockImplementation(((host: string, options: LookupOptions, done: FoundAll) => {
      if (options.all === true) done(null, TWO);
      else (lookup as (...args: unknown[]) => void)(host, options, done);
    }) as never);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await application.close();
  });

  const addresses = () =>
    application
      .getHttpAdapter()
      .getInstance()
      .addresses()
      .map((bound) => (bound as AddressInfo).address);

  it.each(['localhost', '127.0.0.1'])(
    'listens at one address of %s, whose server is bounded',
    async (HOST) => {
      await listenAt(application, { PORT: 0, HOST });
      expect(addresses()).toHaveLength(1);
    },
  );
});
