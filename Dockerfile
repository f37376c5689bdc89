# The compiler in an image: `docker build -t anml .`, then
#   docker run --rm -v "$PWD:/work" anml wan.anml -o wan
# A live run makes its own namespaces, for which an image must be allowed more: see docs/installing.md.
FROM debian:12-slim AS build
COPY scripts/setup scripts/lib.sh /anml/scripts/
RUN /anml/scripts/setup --package
COPY . /anml
WORKDIR /anml
RUN cmake --preset release -D ANML_TESTS=OFF
RUN cmake --build --preset release --target anmlc
RUN mkdir -p /packages && cpack -G DEB --config build/release/CPackConfig.cmake -B /packages

FROM debian:12-slim
COPY --from=build /packages/*.deb /packages/
RUN apt-get update && apt-get install -y --no-install-recommends /packages/*.deb && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["anmlc"]
CMD ["--help"]
