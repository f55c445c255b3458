# Siteseer in a container: docker build -t siteseer . && docker run --rm -v "$PWD/out:/out" siteseer crawl URL -o /out/site
FROM python:3.12-slim
RUN pip install --no-cache-dir uv
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# What a cluster needs is in; --build-arg EXTRAS=cluster,ui,parquet adds more.
ARG EXTRAS=cluster
RUN uv pip install --system --no-cache ".[${EXTRAS}]" \
    && useradd --create-home --uid 1000 siteseer && install -d -o siteseer /work
USER siteseer
WORKDIR /home/siteseer
ENTRYPOINT ["siteseer"]
